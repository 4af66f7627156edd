<?php

declare(strict_types=1);

namespace Sluice\Shared;

use Sluice\Coroutine\TimeoutException;
use Sluice\Internal\ProcessIdentity;

/**
 * Locks by key, for all workers of a server: one coroutine of all workers has a key at a time. A coroutine that waits is suspended, and
 * tries again after 1 to 20 ms; so there is no order among those that wait.
 *
 * When a process dies, its keys are free at once; when a coroutine ends, its HeldLock objects release theirs. With a lease, a key is
 * also free when the lease ends, whatever its holder does. Make the object before run(), so that the workers share it: the keys are
 * in a Table with the name `lock:` and `$name`.
 */
final class Lock
{
    private const FIRST_PAUSE_US = 1_000;
    private const LONGEST_PAUSE_US = 20_000;

    private readonly Table $table;

    /**
     * @param string $name 1 to 59 letters, digits, dots, colons, dashes and underscores
     * @param int $bytes of memory for all keys that are locked at a time, 64 KiB to 64 GiB; a key of up to about 40 bytes takes 128
     * @throws \ValueError when an argument is out of range, or this script uses the name for something else
     * @throws \Sluice\ServerException in a worker, when the lock was not made before run()
     */
    public function __construct(private readonly string $name, int $bytes = 1 << 20)
    {
        $this->table = new Table("lock:$name", $bytes);
    }

    /**
     * Locks a key, calls `$function`, and releases the key again, also after an exception.
     *
     * @template T
     * @param callable(): T $function
     * @param string $key 1 to 1,024 bytes
     * @param float|null $timeout seconds to wait for the key, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException when the key does not become free within $timeout
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
     * Locks a key, and waits while it is not free.
     *
     * @param string $key 1 to 1,024 bytes
     * @param float|null $timeout seconds to wait for the key, 0 to 1e9; null: for ever
     * @param float|null $leaseSeconds the key is free again after this time, 0.001 to 1e9; null: when it is released, or this process
     *     has died
     * @throws TimeoutException when the key does not become free within $timeout
     * @throws FullException when too many keys are locked at a time
     * @throws \ValueError when an argument is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the locks
     * @throws \Sluice\Coroutine\CancelledError
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
     * Locks a key if it is free. Never waits.
     *
     * @param string $key 1 to 1,024 bytes
     * @param float|null $leaseSeconds the key is free again after this time, 0.001 to 1e9; null: when it is released, or this process
     *     has died
     * @return HeldLock|null null: the key is not free
     * @throws FullException when too many keys are locked at a time
     * @throws \ValueError when an argument is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the locks
     */
    public function tryAcquire(string $key = 'all', ?float $leaseSeconds = null): ?HeldLock
    {
        static $number = 0;
        $holder = ProcessIdentity::own() . ' ' . ++$number;
        $before = $this->table->get($key);
        if (is_string($before) && ProcessIdentity::isAlive($before)) {
            return null;
        }
        // This fails when another process has locked the key meanwhile.
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

    /**
     * Whether a key is locked.
     *
     * @param string $key 1 to 1,024 bytes
     * @throws \ValueError for a key of another length
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the locks
     */
    public function isHeld(string $key = 'all'): bool
    {
        $holder = $this->table->get($key);
        return is_string($holder) && ProcessIdentity::isAlive($holder);
    }

    /** Removes keys whose processes have died, which otherwise stay until somebody locks them. Returns whether there were any. */
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
