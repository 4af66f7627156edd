<?php

declare(strict_types=1);

namespace Sluice\Shared;

use Sluice\Coroutine\TimeoutException;
use Sluice\Internal\ProcessIdentity;

/**
 * Locks by key, for all workers of a server: any number of readers have a key at a time, or one writer. A coroutine that waits is
 * suspended, and tries again after 1 to 20 ms. While a writer waits, no further reader gets the key, so that readers cannot keep writers out.
 *
 * When a process dies, what it holds is free at once. Make the object before run(), so that the workers share it: the keys are in a
 * Table with the name `rwlock:` and `$name`.
 */
final class ReadWriteLock
{
    private const FIRST_PAUSE_US = 1_000;
    private const LONGEST_PAUSE_US = 20_000;
    /** How long a writer that waits keeps readers out after it has last tried: it may have come to an end without saying so. */
    private const WAITING_SECONDS = 5.0;

    private readonly Table $table;

    /**
     * @param string $name 1 to 57 letters, digits, dots, colons, dashes and underscores
     * @param int $bytes of memory for all keys that are locked at a time, 64 KiB to 64 GiB; each reader of a key takes about 40
     * @throws \ValueError when an argument is out of range, or this script uses the name for something else
     * @throws \Sluice\ServerException in a worker, when the lock was not made before run()
     */
    public function __construct(private readonly string $name, int $bytes = 1 << 20)
    {
        $this->table = new Table("rwlock:$name", $bytes);
    }

    /**
     * Calls `$function` while no writer has the key.
     *
     * @template T
     * @param callable(): T $function
     * @param string $key 1 to 1,024 bytes
     * @param float|null $timeout seconds to wait for the key, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException when the key does not become free within $timeout
     * @throws FullException when too many keys are locked at a time
     * @throws \ValueError when an argument is out of range
     * @throws \Throwable what `$function` throws
     */
    public function read(callable $function, string $key = 'all', ?float $timeout = null): mixed
    {
        $holder = $this->wait($key, false, $timeout);
        try {
            return $function();
        } finally {
            $this->release($key, $holder);
        }
    }

    /**
     * Calls `$function` while nobody else has the key.
     *
     * @template T
     * @param callable(): T $function
     * @param string $key 1 to 1,024 bytes
     * @param float|null $timeout seconds to wait for the key, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException when the key does not become free within $timeout
     * @throws FullException when too many keys are locked at a time
     * @throws \ValueError when an argument is out of range
     * @throws \Throwable what `$function` throws
     */
    public function write(callable $function, string $key = 'all', ?float $timeout = null): mixed
    {
        $holder = $this->wait($key, true, $timeout);
        try {
            return $function();
        } finally {
            $this->release($key, $holder);
        }
    }

    /** Gives the name under which the key is held. */
    private function wait(string $key, bool $writes, ?float $timeout): string
    {
        static $number = 0;
        if ($timeout !== null && !($timeout >= 0 && $timeout <= 1e9)) {
            throw new \ValueError("$timeout seconds to wait for a lock: it must be 0 to 1e9");
        }
        $holder = ProcessIdentity::own() . ' ' . ++$number;
        $until = $timeout === null ? \INF : hrtime(true) / 1e9 + $timeout;
        try {
            for ($pause = self::FIRST_PAUSE_US; !$this->take($key, $holder, $writes); $pause = min(2 * $pause, self::LONGEST_PAUSE_US)) {
                $left = $until - hrtime(true) / 1e9;
                if ($left <= 0) {
                    throw new TimeoutException("The lock \"$key\" of \"$this->name\" has not become free within $timeout s");
                }
                usleep((int) max(1, min($pause, $left * 1e6)));
            }
        } catch (\Throwable $error) {
            // It waits no longer.
            $this->release($key, $holder);
            throw $error;
        }
        return $holder;
    }

    private function take(string $key, string $holder, bool $writes): bool
    {
        do {
            $before = $this->table->get($key);
            [$writer, $readers, $waiter, $asked] = $this->state($before);
            $now = hrtime(true) / 1e9;
            $isFree = $writer === '' && ($writes ? $readers === [] : $waiter === '' || $now - $asked > self::WAITING_SECONDS);
            if (!$isFree && !$writes) {
                return false;
            }
            $after = match (true) {
                !$isFree => [$writer, $readers, $holder, $now],
                $writes => [$holder, [], '', 0.0],
                default => ['', [...$readers, $holder], $waiter, $asked],
            };
        } while (!$this->table->compareAndSet($key, $before, $after));
        return $isFree;
    }

    private function release(string $key, string $holder): void
    {
        do {
            $before = $this->table->get($key);
            [$writer, $readers, $waiter, $asked] = $this->state($before);
            $waiter = $waiter === $holder ? '' : $waiter;
            $after = [$writer === $holder ? '' : $writer, array_values(array_diff($readers, [$holder])), $waiter, $asked];
            $isLast = $after[0] === '' && $after[1] === [] && $waiter === '';
        } while ($before !== null && !($isLast ? $this->table->compareAndRemove($key, $before) : $this->table->compareAndSet($key, $before, $after)));
    }

    /**
     * Who has a key, without processes that have died: the writer, the readers, a writer that waits, and when it has tried last.
     *
     * @return array{string, list<string>, string, float}
     */
    private function state(mixed $entry): array
    {
        /** @var array{string, list<string>, string, float} $state */
        $state = is_array($entry) ? $entry : ['', [], '', 0.0];
        [$writer, $readers, $waiter, $asked] = $state;
        $isAlive = static fn(string $holder): bool => $holder !== '' && ProcessIdentity::isAlive($holder);
        return [$isAlive($writer) ? $writer : '', array_values(array_filter($readers, $isAlive)), $isAlive($waiter) ? $waiter : '', $asked];
    }
}
