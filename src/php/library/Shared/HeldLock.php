<?php

declare(strict_types=1);

namespace Sluice\Shared;

use Sluice\Internal\ProcessIdentity;

/** A key of a Lock that Lock::acquire() or tryAcquire() has locked. It is released by release(), or when this object is. */
final class HeldLock
{
    /** @internal */
    public function __construct(private readonly Table $table, public readonly string $key, private readonly string $holder) {}

    /**
     * Whether the key is still locked by this object: its lease may have ended.
     *
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the locks
     */
    public function isHeld(): bool
    {
        return $this->table->get($this->key) === $this->holder;
    }

    /**
     * Replaces what is left of the lease.
     *
     * @param float|null $leaseSeconds from now on, 0.001 to 1e9; null: until release()
     * @return bool false: the lease has ended, and the key is free or locked by another one
     * @throws \ValueError when $leaseSeconds is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the locks
     * @throws FullException
     */
    public function extend(?float $leaseSeconds): bool
    {
        return $this->table->compareAndSet($this->key, $this->holder, $this->holder, $leaseSeconds);
    }

    /**
     * Releases the key.
     *
     * @return bool false: the lease had ended before
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the locks
     */
    public function release(): bool
    {
        return $this->table->compareAndRemove($this->key, $this->holder);
    }

    public function __destruct()
    {
        // A fork has a copy of this object; the lock is its parent's.
        if (str_starts_with($this->holder, ProcessIdentity::own() . ' ')) {
            $this->release();
        }
    }
}
