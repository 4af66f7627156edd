<?php

declare(strict_types=1);

namespace Sluice\Shared;

use Sluice\Coroutine\TimeoutException;
use Sluice\Internal\ProcessIdentity;

/**
 * Locks by key, for all workers of a server: any number of readers have a key at a time, or one writer. A coroutine that waits is
 * suspended, and tries again after 1 to 20 ms. Who has come first is first: a reader that comes after a writer waits for it, and writers get
 * the key in the order in which they have come.
 *
 * When a process dies, what it holds is free at once. Make the object before run(), so that the workers share it: the keys are in a
 * Table with the name `rwlock:` and `$name`.
 */
final class ReadWriteLock
{
    private const FIRST_PAUSE_US = 1_000;
    /** Who is next looks as often, so that the key is not free for long while somebody waits. */
    private const LONGEST_PAUSE_OF_NEXT_US = 4_000;
    private const LONGEST_PAUSE_US = 20_000;
    /** How long somebody keeps a place after having last tried: it may have come to an end without saying so. */
    private const WAITING_SECONDS = 5.0;
    /** How often it says that it still waits. */
    private const RENEWAL_SECONDS = 1.0;

    private readonly Table $table;

    /**
     * @param string $name 1 to 57 letters, digits, dots, colons, dashes and underscores
     * @param int $bytes of memory for all keys that are locked at a time, 64 KiB to 64 GiB; each reader of a key, and each that waits, takes about 40 to 60
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
            for ($pause = self::FIRST_PAUSE_US; ($place = $this->take($key, $holder, $writes)) >= 0;
                $pause = min(2 * $pause, $place === 0 ? self::LONGEST_PAUSE_OF_NEXT_US : self::LONGEST_PAUSE_US)) {
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

    /** The place among those that wait, 0 for who is next; -1: it has the key. */
    private function take(string $key, string $holder, bool $writes): int
    {
        do {
            $before = $this->table->get($key);
            [$writer, $readers, $queue] = $this->state($before);
            $now = hrtime(true) / 1e9;
            $place = count($queue);
            $isBehindWriter = false;
            foreach ($queue as $index => [$who, $isWriter]) {
                if ($who === $holder) {
                    $place = $index;
                    break;
                }
                $isBehindWriter = $isBehindWriter || $isWriter;
            }
            $isFree = $writer === '' && ($writes ? $readers === [] && $place === 0 : !$isBehindWriter);
            if ($isFree) {
                array_splice($queue, $place, 1);
                $after = $writes ? [$holder, [], $queue] : ['', [...$readers, $holder], $queue];
            } elseif (isset($queue[$place]) && $now - $queue[$place][2] < self::RENEWAL_SECONDS) {
                return $place;
            } else {
                $queue[$place] = [$holder, $writes, $now];
                $after = [$writer, $readers, $queue];
            }
        } while (!$this->table->compareAndSet($key, $before, $after));
        return $isFree ? -1 : $place;
    }

    private function release(string $key, string $holder): void
    {
        do {
            $before = $this->table->get($key);
            [$writer, $readers, $queue] = $this->state($before);
            $after = [
                $writer === $holder ? '' : $writer,
                array_values(array_diff($readers, [$holder])),
                array_values(array_filter($queue, static fn(array $one): bool => $one[0] !== $holder)),
            ];
        } while ($before !== null && !($after === ['', [], []] ? $this->table->compareAndRemove($key, $before) : $this->table->compareAndSet($key, $before, $after)));
    }

    /**
     * Who has a key, without processes that have died: the writer, the readers; and who waits in order: whether to write, and when it has last said so.
     *
     * @return array{string, list<string>, list<array{string, bool, float}>}
     */
    private function state(mixed $entry): array
    {
        /** @var array{string, list<string>, list<array{string, bool, float}>} $state */
        $state = is_array($entry) ? $entry : ['', [], []];
        [$writer, $readers, $queue] = $state;
        $isAlive = static fn(string $holder): bool => ProcessIdentity::isAlive($holder);
        $since = hrtime(true) / 1e9 - self::WAITING_SECONDS;
        return [
            $writer !== '' && $isAlive($writer) ? $writer : '',
            array_values(array_filter($readers, $isAlive)),
            array_values(array_filter($queue, static fn(array $one): bool => $one[2] >= $since && $isAlive($one[0]))),
        ];
    }
}
