<?php

declare(strict_types=1);

namespace Sluice\Shared;

use Sluice\Internal\ProcessIdentity;

/** A lock for as long as this object lives and nobody calls release(); see Lock::acquire(). */
final class HeldLock
{
    /** @internal */
    public function __construct(private readonly Table $table, public readonly string $key, private readonly string $holder) {}

    /** Whether it is still this one's: a lease may have ended. */
    public function isHeld(): bool
    {
        return $this->table->get($this->key) === $this->holder;
    }

    /**
     * Has it for so many more seconds from now on, whatever was left.
     *
     * @param float|null $leaseSeconds 0.001 to 1e9; null: until it is released
     * @return bool false: it is somebody else's by now, or nobody's
     */
    public function extend(?float $leaseSeconds): bool
    {
        return $this->table->compareAndSet($this->key, $this->holder, $this->holder, $leaseSeconds);
    }

    /** @return bool false: it was not this one's any more */
    public function release(): bool
    {
        return $this->table->compareAndRemove($this->key, $this->holder);
    }

    public function __destruct()
    {
        // A fork has a copy of this object, and not the lock.
        if (str_starts_with($this->holder, ProcessIdentity::own() . ' ')) {
            $this->release();
        }
    }
}
