<?php

/** @generate-class-entries */

namespace Sluice\Shared;

/**
 * Values by key in memory of a fixed size that all processes of a server share: its workers, the next generation of workers after a
 * reload, and processes that they fork. Nothing is written to a disk. Each call is atomic and takes about a microsecond; a process
 * waits for another one's call at most. When a process is killed within a call, its value is there as a whole or not at all.
 *
 * Make the table before run(), so that the workers share it. Another object with its name and options, in a worker too, is the
 * same table. A reload keeps the contents, unless the new script makes the table with other options or not at all.
 *
 * @strict-properties
 * @not-serializable
 */
final class Table implements \Countable
{
    /**
     * @param string $name 1 to 64 letters, digits, dots, colons, dashes and underscores
     * @param int $bytes of memory for all entries, 64 KiB to 64 GiB; the system provides it as it is used. An entry takes 128 bytes,
     *     and more when its key and value have more than 80 together. The longest entry takes a sixteenth of 4 MiB, or of the table
     *     if that is smaller; in a table of more than 256 MiB it may be longer
     * @param bool $evict what happens when the table is full: true removes entries that have not been read or changed for long, as
     *     a cache does; false refuses new entries with a FullException
     * @throws \ValueError when $bytes is out of range, or this script has a table, counter or lock with this name and other options
     * @throws \Sluice\ServerException in a worker, when the table was not made before run(); for more than 100 tables, counters and
     *     locks; and when the system gives no memory
     */
    public function __construct(string $name, int $bytes = 16777216, bool $evict = false) {}

    /**
     * The value of a key; $default when there is none.
     *
     * @param string $key 1 to 1,024 bytes
     * @throws \ValueError for a key of another length
     * @throws \Sluice\ServerException when the value cannot be unserialized, or a process that is stopped by a signal holds the table
     */
    public function get(string $key, mixed $default = null): mixed {}

    /**
     * Whether there is a value for a key.
     *
     * @param string $key 1 to 1,024 bytes
     * @throws \ValueError for a key of another length
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table
     */
    public function has(string $key): bool {}

    /**
     * Sets the value of a key, replacing an earlier one.
     *
     * @param string $key 1 to 1,024 bytes
     * @param mixed $value null, a boolean, number or string; other values are serialized
     * @param float|null $seconds the value expires after this time, 0.001 to 1e9; null: it stays
     * @throws FullException when the table has no room for the entry
     * @throws \ValueError when the key, the entry or $seconds is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table
     * @throws \Throwable when the value cannot be serialized
     */
    public function set(string $key, mixed $value, ?float $seconds = null): void {}

    /**
     * Sets the value of a key that has none.
     *
     * @param string $key 1 to 1,024 bytes
     * @param mixed $value null, a boolean, number or string; other values are serialized
     * @param float|null $seconds the value expires after this time, 0.001 to 1e9; null: it stays
     * @return bool false: the key has a value, which stays
     * @throws FullException when the table has no room for the entry
     * @throws \ValueError when the key, the entry or $seconds is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table
     * @throws \Throwable when the value cannot be serialized
     */
    public function add(string $key, mixed $value, ?float $seconds = null): bool {}

    /**
     * Sets the value of a key if it now equals `$expected` in type and value; arrays and objects are equal when they serialize
     * alike. With null as `$expected` a key without a value is set too.
     *
     * @param string $key 1 to 1,024 bytes
     * @param mixed $value null, a boolean, number or string; other values are serialized
     * @param float|null $seconds the value expires after this time, 0.001 to 1e9; null: it stays
     * @return bool false: the key has another value, which stays
     * @throws FullException when the table has no room for the entry
     * @throws \ValueError when the key, the entry or $seconds is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table
     * @throws \Throwable when a value cannot be serialized
     */
    public function compareAndSet(string $key, mixed $expected, mixed $value, ?float $seconds = null): bool {}

    /**
     * Adds to the int of a key. A key without a value begins at 0.
     *
     * @param string $key 1 to 1,024 bytes
     * @param float|null $seconds the value expires this time after its first increment(), 0.001 to 1e9; null: it stays
     * @return int the sum
     * @throws \TypeError when the value is not an int
     * @throws \ArithmeticError when the sum is out of range
     * @throws FullException when the table has no room for the entry
     * @throws \ValueError when the key, the entry or $seconds is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table
     */
    public function increment(string $key, int $by = 1, ?float $seconds = null): int {}

    /**
     * Sets the value that `$change` returns for the present one, which is null when there is none. When another process has changed the
     * value meanwhile, `$change` is called again, so it should have no other effects.
     *
     * @template T
     * @param string $key 1 to 1,024 bytes
     * @param callable(mixed): T $change
     * @param float|null $seconds the value expires after this time, 0.001 to 1e9; null: it stays
     * @return T the new value
     * @throws FullException when the table has no room for the entry
     * @throws \ValueError when the key, the entry or $seconds is out of range
     * @throws \Sluice\ServerException when others have changed the value 1,000 times meanwhile, or a process that is stopped by a
     *     signal holds the table
     * @throws \Throwable what `$change` throws, and when its value cannot be serialized
     */
    public function update(string $key, callable $change, ?float $seconds = null): mixed {}

    /**
     * Removes the value of a key.
     *
     * @param string $key 1 to 1,024 bytes
     * @return bool false: there was none
     * @throws \ValueError for a key of another length
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table
     */
    public function remove(string $key): bool {}

    /**
     * Removes the value of a key if it equals `$expected` in type and value; arrays and objects are equal when they serialize alike.
     *
     * @param string $key 1 to 1,024 bytes
     * @return bool false: there is another value, which stays, or none
     * @throws \ValueError for a key of another length
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table
     * @throws \Throwable when `$expected` cannot be serialized
     */
    public function compareAndRemove(string $key, mixed $expected): bool {}

    /** Removes all entries. */
    public function clear(): void {}

    /**
     * The keys that begin with `$prefix`, in no order. It reads the whole table.
     *
     * @return list<string>
     */
    public function listKeys(string $prefix = ''): array {}

    /** The number of entries, with expired ones that have not been removed yet. */
    public function count(): int {}

    /** Figures of the table at the moment of the call. */
    public function stats(): TableStats {}
}

/**
 * Figures of a Table at the moment of Table::stats().
 *
 * @strict-properties
 * @not-serializable
 */
final class TableStats
{
    /** The number of entries, with expired ones that have not been removed yet. */
    public readonly int $entries;
    /** Bytes that entries take. */
    public readonly int $usedBytes;
    /** Bytes for entries in total. */
    public readonly int $bytes;
    /** Entries that were removed to make room, since the table was made. */
    public readonly int $evicted;
    /** How often a process has died within a change, which the next one has then undone or completed. */
    public readonly int $repaired;

    private function __construct() {}
}

/** A Table has no room for the entry. */
final class FullException extends \RuntimeException {}

/**
 * An int that all processes of a server share. Each call is atomic, and about ten times as fast as one of a Table. Make the counter
 * before run(), so that the workers share it. A reload keeps its value, unless the new script does not make it.
 *
 * @strict-properties
 * @not-serializable
 */
final class Counter
{
    /**
     * @param string $name 1 to 64 letters, digits, dots, colons, dashes and underscores
     * @throws \ValueError for another name, and when this script has a table or lock with this name
     * @throws \Sluice\ServerException in a worker, when the counter was not made before run(); for more than 100 tables, counters and
     *     locks; and when the system gives no memory
     */
    public function __construct(string $name) {}

    /** The value; 0 at first. */
    public function get(): int {}

    /** Sets the value. */
    public function set(int $value): void {}

    /**
     * Adds to the value.
     *
     * @return int the sum
     * @throws \ArithmeticError when the sum is out of range
     */
    public function add(int $by = 1): int {}

    /**
     * Sets the value if it now is `$expected`.
     *
     * @return bool false: it is another one, which stays
     */
    public function compareAndSet(int $expected, int $value): bool {}

    /**
     * Waits while the value is `$value`. Who changes it calls wake() afterwards.
     *
     * In a coroutine it suspends, and looks again after 1 to 16 ms. Elsewhere - in a process that PHP has forked, in a script - the
     * process sleeps until wake(), and looks again ten times a second. Another value that has come and gone meanwhile may be missed.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: for ever
     * @return bool false: it still is `$value`, as the time is over or, outside of coroutines, a signal has come
     * @throws \ValueError when $timeout is out of range
     * @throws \Sluice\Coroutine\CancelledError
     */
    public function waitWhile(int $value, ?float $timeout = null): bool {}

    /**
     * Wakes processes that sleep in waitWhile(): they look at the value.
     *
     * @param int $processes the most to wake, 1 to 2,147,483,647: by default all
     * @return int how many have been woken; coroutines that wait are not counted, and look by themselves
     * @throws \ValueError when $processes is out of range
     */
    public function wake(int $processes = 2147483647): int {}
}
