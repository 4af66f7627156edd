<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\Integer64;

/**
 * `legacy_split`: database `id / database_split % databases` and table `id / table_split % tables`, as classes for sharding by hand do it,
 * with whole divisions that are exact for all 64-bit ids. Strings that are no integer are taken by their crc32. A negative id counts by its
 * absolute value. The keyspace id is the database's number and the table's, two bytes each.
 */
final class LegacySplit extends Functional
{
    /**
     * @param int $databaseSplit 1 to PHP_INT_MAX
     * @param int $databases 1 to 65,535
     * @param int $tableSplit 1 to PHP_INT_MAX
     * @param int $tables 1 to 65,536; 1: tables have no number
     * @param bool $strings whether keys are strings, of which the crc32 is taken also when they have only digits
     */
    public function __construct(
        public readonly int $databaseSplit,
        public readonly int $databases,
        public readonly int $tableSplit = 1,
        public readonly int $tables = 1,
        public readonly bool $strings = false,
    ) {}

    public function hash(mixed $value): string
    {
        return \pack('nn', $this->database($value), $this->table($value));
    }

    public function database(mixed $value): int
    {
        return $this->number($value)->dividedAndReduced($this->databaseSplit, $this->databases);
    }

    public function table(mixed $value): int
    {
        return $this->tables === 1 ? 0 : $this->number($value)->dividedAndReduced($this->tableSplit, $this->tables);
    }

    /** What is behind the names of tables at this keyspace id: `_46`, or nothing. */
    public function suffix(string $keyspaceId): string
    {
        return $this->tables === 1 ? '' : '_' . (\ord($keyspaceId[2]) * 256 + \ord($keyspaceId[3]));
    }

    /** @return list<string> all suffixes that a database has */
    public function suffixes(): array
    {
        return $this->tables === 1 ? [''] : \array_map(static fn(int $table) => "_$table", \range(0, $this->tables - 1));
    }

    private function number(mixed $value): Integer64
    {
        if (\is_string($value) && ($this->strings || !\preg_match('/\A-?\d+\z/', $value))) {
            return Integer64::of(\crc32($value));
        }
        return Integer64::of($value);
    }
}
