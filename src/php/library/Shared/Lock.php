<?php

declare(strict_types=1);

namespace Sluice\Shared;

use Sluice\Coroutine\TimeoutException;
use Sluice\Internal\ProcessIdentity;

/**
 * Locks by name that all workers of a server share: one coroutine of all of them has a key at a time. Who waits suspends, and
 * asks again after 1 to 20 ms, so there is no order among those who wait.
 *
 * The lock of a process that has died is free at once, and that of a coroutine with the HeldLock that it had. With a lease, a
 * lock is free, too, when that time has passed, whatever its holder does. Make one object before run(): see Table, in which the
 * locks are kept, under the name `lock:` and this one's.
 */
final class Lock
{
    private const FIRST_PAUSE_US = 1_000;
    private const LONGEST_PAUSE_US = 20_000;

    private readonly Table $table;

    /**
     * @param string $name 1 to 59 letters, digits, dots, colons, dashes and underscores
     * @param int $bytes of memory for all keys that are locked at a time, 128 each: 64 KiB to 64 GiB
     * @throws \ValueError
     * @throws \Sluice\ServerException in a worker, when the lock was not made before run()
     */
    public function __construct(private readonly string $name, int $bytes = 1 << 20)
    {
        $this->table = new Table("lock:$name", $bytes);
    }

    /**
     * Calls `$function` while it has the lock, and frees it whatever happens.
     *
     * @template T
     * @param callable(): T $function
     * @param string $key 1 to 1,024 bytes: what is locked
     * @param float|null $timeout seconds to wait for the lock, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException when the lock has not become free
     * @throws \Throwable what `$function` throws
     */
    public function use(callable $function, string $key = 'all', ?float $timeout = null): mixed
    {
        $held = $this->acquire($key, $timeout);
        try {
            return $function();
        } finally {
            $held->release();
        }
    }

    /**
     * Waits until it has the lock.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @param float|null $leaseSeconds after so many seconds others may have it, 0.001 to 1e9; null: when it is released, or this
     *     process has died
     * @throws TimeoutException
     */
    public function acquire(string $key = 'all', ?float $timeout = null, ?float $leaseSeconds = null): HeldLock
    {
        if ($timeout !== null && !($timeout >= 0 && $timeout <= 1e9)) {
            throw new \ValueError("$timeout seconds to wait for a lock: it must be 0 to 1e9");
        }
        $until = $timeout === null ? \INF : hrtime(true) / 1e9 + $timeout;
        for ($pause = self::FIRST_PAUSE_US; ; $pause = min(2 * $pause, self::LONGEST_PAUSE_US)) {
            if ($held = $this->tryAcquire($key, $leaseSeconds)) {
                return $held;
            }
            $left = $until - hrtime(true) / 1e9;
            if ($left <= 0) {
                throw new TimeoutException("The lock \"$key\" of \"$this->name\" has not become free within $timeout s");
            }
            usleep((int) max(1, min($pause, $left * 1e6)));
        }
    }

    /**
     * The lock if nobody has it, null otherwise; never waits.
     *
     * @param float|null $leaseSeconds as for acquire()
     */
    public function tryAcquire(string $key = 'all', ?float $leaseSeconds = null): ?HeldLock
    {
        static $number = 0;
        $holder = ProcessIdentity::own() . ' ' . ++$number;
        $before = $this->table->get($key);
        if (is_string($before) && ProcessIdentity::isAlive($before)) {
            return null;
        }
        // Whoever comes between has it.
        try {
            $has = $this->table->compareAndSet($key, $before, $holder, $leaseSeconds);
        } catch (FullException $full) {
            if (!$this->forgetTheDead()) {
                throw $full;
            }
            $has = $this->table->compareAndSet($key, $before, $holder, $leaseSeconds);
        }
        return $has ? new HeldLock($this->table, $key, $holder) : null;
    }

    /** Whether somebody has it now. */
    public function isHeld(string $key = 'all'): bool
    {
        $holder = $this->table->get($key);
        return is_string($holder) && ProcessIdentity::isAlive($holder);
    }

    /** Locks whose processes have died stay until somebody wants them. Whether there were any. */
    private function forgetTheDead(): bool
    {
        $forgotten = false;
        foreach ($this->table->listKeys() as $key) {
            $holder = $this->table->get($key);
            if (is_string($holder) && !ProcessIdentity::isAlive($holder)) {
                $forgotten = $this->table->compareAndRemove($key, $holder) || $forgotten;
            }
        }
        return $forgotten;
    }
}
