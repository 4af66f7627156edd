<?php

/** @generate-class-entries */

namespace Sluice\Shared;

/**
 * Values under keys, shared by all processes of a server: its workers, those of the next generation after a reload, and
 * whatever they fork. It is memory of a size that is fixed; nothing of it is on a disk. Each call is one step for everybody
 * else, and takes about a microsecond: nobody waits for longer than another's call lasts. A process may be killed in the
 * midst of one: what it was writing is there as a whole or not at all.
 *
 * Make it before run(), or the workers would not share it. Whoever makes another object of that name and those options, in
 * a worker, too, has the same table. A reload keeps what is in it, unless the new script makes it with other options, or
 * not at all.
 *
 * @strict-properties
 * @not-serializable
 */
final class Table implements \Countable
{
    /**
     * @param string $name 1 to 64 letters, digits, dots, colons, dashes and underscores
     * @param int $bytes of memory for all: 64 KiB to 64 GiB. It is taken from the system as it is used. An entry takes 128
     *     bytes, and more where its key and value together have more than 80; the longest has a sixteenth of 4 MiB, or of
     *     the table if that is smaller, and of larger parts in a table of more than 256 MiB
     * @param bool $evict when it is full: true takes away what has not been read or changed for long, as a cache does; false
     *     refuses what is new with a FullException
     * @throws \ValueError when a table, counter or lock of that name and other options is there in this script
     * @throws \Sluice\ServerException in a worker, when the table was not made before run()
     */
    public function __construct(string $name, int $bytes = 16777216, bool $evict = false) {}

    /** @param string $key 1 to 1,024 bytes, here and everywhere else */
    public function get(string $key, mixed $default = null): mixed {}

    public function has(string $key): bool {}

    /**
     * @param mixed $value what serialize() takes; null, booleans, numbers and strings are kept as they are
     * @param float|null $seconds after so many it is gone, 0.001 to 1e9; null: stays
     * @throws FullException
     */
    public function set(string $key, mixed $value, ?float $seconds = null): void {}

    /**
     * Sets what is not there yet; false: it is, and stays as it was.
     *
     * @param float|null $seconds as for set()
     * @throws FullException
     */
    public function add(string $key, mixed $value, ?float $seconds = null): bool {}

    /**
     * Sets it if it is what `$expected` is: of one type and value, arrays and objects if they are serialised alike. An
     * expected null stands for nothing there, too.
     *
     * @param float|null $seconds as for set()
     * @return bool false: it was something else, and stays so
     * @throws FullException
     */
    public function compareAndSet(string $key, mixed $expected, mixed $value, ?float $seconds = null): bool {}

    /**
     * Adds to an int, which begins at 0.
     *
     * @param float|null $seconds after so many, counted from its beginning, it is gone; null: stays
     * @return int the sum
     * @throws \TypeError when something else than an int is there
     * @throws \ArithmeticError when the sum is out of range
     * @throws FullException
     */
    public function increment(string $key, int $by = 1, ?float $seconds = null): int {}

    /**
     * Sets what `$change` makes of the value; null when there is none. Calls it again when another process has changed the
     * value meanwhile, so it should do nothing else.
     *
     * @template T
     * @param callable(mixed): T $change
     * @param float|null $seconds as for set()
     * @return T
     * @throws FullException
     * @throws \Sluice\ServerException when the value has changed a thousand times meanwhile
     */
    public function update(string $key, callable $change, ?float $seconds = null): mixed {}

    /** Whether it was there. */
    public function remove(string $key): bool {}

    /** Removes it if it is what `$expected` is, as compareAndSet() does. */
    public function compareAndRemove(string $key, mixed $expected): bool {}

    public function clear(): void {}

    /**
     * Keys that begin with `$prefix`, in no order. It goes through all of the table.
     *
     * @return list<string>
     */
    public function listKeys(string $prefix = ''): array {}

    /** Entries, with those that have expired and that nobody has come upon since. */
    public function count(): int {}

    public function stats(): TableStats {}
}

/**
 * What Table::stats() has found.
 *
 * @strict-properties
 * @not-serializable
 */
final class TableStats
{
    /** As Table::count(). */
    public readonly int $entries;
    /** Bytes that they take. */
    public readonly int $usedBytes;
    /** Bytes that there are for entries. */
    public readonly int $bytes;
    /** Entries that were taken away to make room, since the table was made. */
    public readonly int $evicted;
    /** How often a process has died in the midst of a change, and the next one has tidied up. */
    public readonly int $repaired;

    private function __construct() {}
}

/** There is no room for it in the table. */
final class FullException extends \RuntimeException {}

/**
 * An int that all processes of a server share; as a Table of one entry, and ten times as fast.
 *
 * @strict-properties
 * @not-serializable
 */
final class Counter
{
    /**
     * @param string $name as of a Table
     * @throws \ValueError when a table or lock of that name is there in this script
     * @throws \Sluice\ServerException in a worker, when the counter was not made before run()
     */
    public function __construct(string $name) {}

    /** 0 at first. */
    public function get(): int {}

    public function set(int $value): void {}

    /**
     * @return int the sum
     * @throws \ArithmeticError when it is out of range
     */
    public function add(int $by = 1): int {}

    /** False: it was not `$expected`, and stays as it is. */
    public function compareAndSet(int $expected, int $value): bool {}
}
