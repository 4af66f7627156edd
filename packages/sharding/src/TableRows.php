<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Rows of a table as they are copied from one server to another: each value comes back as it was. @internal */
final class TableRows
{
    /** @var list<string> */
    private array $keys = [];
    /** @var array<string, string> columns, and how they are read */
    private array $columns = [];
    private readonly string $table;
    private readonly string $target;

    /**
     * @param string $name of the table on the source
     * @param string $target its name on other shards
     * @throws ShardingException for a table without a primary key, and for types that cannot be copied exactly
     */
    public function __construct(public readonly Shard $source, string $name, string $target)
    {
        $this->table = Identifier::quote($name);
        $this->target = Identifier::quote($target);
        $sql = 'SELECT COLUMN_NAME, DATA_TYPE, COLUMN_KEY, EXTRA FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION';
        foreach ($source->use(static fn(\PDO $db) => Ask::rows($db, $sql, [$name])) as [$column, $type, $key, $extra]) {
            if (!\is_string($column) || !\is_string($type) || (\is_string($extra) && \str_contains($extra, 'GENERATED'))) {
                continue;
            }
            $quoted = Identifier::quote($column);
            if (\in_array($type, ['geometry', 'point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon', 'geometrycollection'], true)) {
                throw new ShardingException("The column $name.$column is a $type, which cannot be copied.");
            }
            // As text a FLOAT loses digits, and a BIT is no number.
            $this->columns[\strtolower($column)] = match ($type) {
                'float' => "$quoted + 0e0",
                'bit' => "$quoted + 0",
                default => $quoted,
            };
            if ($key === 'PRI') {
                if (\in_array($type, ['float', 'double', 'bit', 'binary', 'varbinary', 'timestamp'], true)) {
                    throw new ShardingException("The primary key of $name has the column $column of the type $type, by which rows cannot be followed.");
                }
                $this->keys[] = \strtolower($column);
            }
        }
        if ($this->keys === []) {
            throw new ShardingException("The table $name on the shard $source->name has no primary key, by which rows are followed. Give it one.");
        }
    }

    /** @return list<string> columns of the primary key */
    public function keys(): array
    {
        return $this->keys;
    }

    /**
     * @param array<string, mixed> $row
     * @return list<mixed>
     */
    public function key(array $row): array
    {
        return \array_map(static fn(string $column): mixed => $row[$column] ?? null, $this->keys);
    }

    /**
     * @param list<mixed>|null $after a primary key
     * @return list<array<string, mixed>>
     */
    public function after(?array $after, int $limit): array
    {
        return $this->read($this->between($after, null) . " ORDER BY {$this->list($this->keys)} LIMIT $limit", $after ?? []);
    }

    /**
     * @param non-empty-list<list<mixed>> $keys
     * @param bool $locks whether to wait for transactions that have changed them and are about to commit
     * @return list<array<string, mixed>>
     */
    public function find(array $keys, bool $locks): array
    {
        return $this->read('WHERE ' . $this->isOneOf($keys) . ($locks ? ' LOCK IN SHARE MODE' : ''), \array_merge(...$keys));
    }

    /**
     * The key of the row so many rows behind another one; null when there are fewer.
     *
     * @param list<mixed>|null $after
     * @return list<mixed>|null
     */
    public function keyBehind(?array $after, int $rows): ?array
    {
        $keys = $this->list($this->keys);
        $sql = "SELECT $keys FROM $this->table " . $this->between($after, null) . " ORDER BY $keys LIMIT 1 OFFSET $rows";
        return $this->source->use(static fn(\PDO $db) => Ask::rows($db, $sql, $after ?? []), isRead: true)[0] ?? null;
    }

    /**
     * @param list<mixed>|null $after
     * @param list<mixed>|null $upTo
     */
    private function between(?array $after, ?array $upTo): string
    {
        $keys = $this->list($this->keys);
        $conditions = [];
        foreach (['>' => $after, '<=' => $upTo] as $operator => $key) {
            if ($key !== null) {
                $conditions[] = "($keys) $operator (" . self::marks(\count($key)) . ')';
            }
        }
        return $conditions === [] ? '' : 'WHERE ' . \implode(' AND ', $conditions);
    }

    /** @param non-empty-list<array<string, mixed>> $rows */
    public function write(Shard $target, array $rows, string $verb): void
    {
        $columns = $this->list(\array_keys($rows[0]));
        $sql = "$verb INTO $this->target ($columns) VALUES " . \implode(', ', \array_fill(0, \count($rows), '(' . self::marks(\count($rows[0])) . ')'));
        $values = \array_merge(...\array_map(array_values(...), $rows));
        $target->use(static fn(\PDO $db) => self::inUtc($db, static fn() => $db->prepare($sql)->execute($values)));
    }

    /** @param non-empty-list<list<mixed>> $keys */
    public function delete(Shard $target, array $keys): void
    {
        $target->use(fn(\PDO $db) => $db->prepare("DELETE FROM $this->target WHERE " . $this->isOneOf($keys))->execute(\array_merge(...$keys)));
    }

    /** @param non-empty-list<list<mixed>> $keys */
    private function isOneOf(array $keys): string
    {
        $one = '(' . self::marks(\count($this->keys)) . ')';
        return "({$this->list($this->keys)}) IN (" . \implode(', ', \array_fill(0, \count($keys), $one)) . ')';
    }

    /**
     * @param list<mixed>|null $after a primary key
     * @param list<mixed>|null $upTo a primary key
     * @return array{int, string} rows between these, and a sum over all of their values
     */
    public function checksum(Shard $shard, ?array $after = null, ?array $upTo = null): array
    {
        $row = $shard->use(fn(\PDO $db) => self::inUtc($db, fn() => Ask::rows($db, "SELECT COUNT(*), COALESCE(SUM(CRC32({$this->values()})), 0) FROM {$this->on($shard)} " . $this->between($after, $upTo), [...$after ?? [], ...$upTo ?? []])), isRead: true)[0];
        return [Ask::int($row[0]), \is_scalar($row[1]) ? (string) $row[1] : '0'];
    }

    /**
     * Checksums of single rows.
     *
     * @param list<mixed>|null $after a primary key
     * @param list<mixed>|null $upTo a primary key
     * @return array<string, string> by their encoded keys
     */
    public function checksums(Shard $shard, ?array $after, ?array $upTo): array
    {
        return $this->eachSum($shard, $this->between($after, $upTo), [...$after ?? [], ...$upTo ?? []]);
    }

    /**
     * @param non-empty-list<list<mixed>> $keys
     * @return array<string, string> by their encoded keys
     */
    public function checksumsOf(Shard $shard, array $keys): array
    {
        return $this->eachSum($shard, 'WHERE ' . $this->isOneOf($keys), \array_merge(...$keys));
    }

    /**
     * @param list<mixed> $parameters
     * @return array<string, string>
     */
    private function eachSum(Shard $shard, string $where, array $parameters): array
    {
        $sums = [];
        $sql = "SELECT {$this->list($this->keys)}, CRC32({$this->values()}) FROM {$this->on($shard)} $where";
        foreach ($shard->use(static fn(\PDO $db) => self::inUtc($db, static fn() => Ask::rows($db, $sql, $parameters)), isRead: true) as $row) {
            $sum = \array_pop($row);
            $sums[self::encode($row)] = \is_scalar($sum) ? (string) $sum : '';
        }
        return $sums;
    }

    private function on(Shard $shard): string
    {
        return $shard === $this->source ? $this->table : $this->target;
    }

    /** All values of a row as one text. */
    private function values(): string
    {
        return "CONCAT_WS('#', " . \implode(', ', \array_map(static fn(string $sql) => "COALESCE(HEX($sql), 'NULL')", $this->columns)) . ')';
    }

    /** @param list<mixed> $key */
    public static function encode(array $key): string
    {
        return \json_encode($key, \JSON_THROW_ON_ERROR);
    }

    /** @return list<mixed> */
    public static function decode(string $key): array
    {
        $decoded = \json_decode($key, true, 8, \JSON_BIGINT_AS_STRING);
        return \is_array($decoded) ? \array_values($decoded) : [];
    }

    /**
     * @param list<mixed> $parameters
     * @return list<array<string, mixed>>
     */
    private function read(string $rest, array $parameters): array
    {
        $list = \implode(', ', $this->columns);
        $names = \array_keys($this->columns);
        $rows = $this->source->use(fn(\PDO $db) => self::inUtc($db, fn() => Ask::rows($db, "SELECT $list FROM $this->table $rest", $parameters)), isRead: true);
        return \array_map(static fn(array $row): array => \array_combine($names, $row), $rows);
    }

    /**
     * TIMESTAMPs are one moment on both sides, whatever their time zones are.
     *
     * @template R
     * @param \Closure(): R $work
     * @return R
     */
    private static function inUtc(\PDO $db, \Closure $work): mixed
    {
        $zone = $db->quote((string) Ask::text($db, 'SELECT @@time_zone'));
        $db->exec("SET time_zone = '+00:00'");
        try {
            return $work();
        } finally {
            $db->exec("SET time_zone = $zone");
        }
    }

    /** @param list<string> $columns */
    private function list(array $columns): string
    {
        return \implode(', ', \array_map(Identifier::quote(...), $columns));
    }

    private static function marks(int $count): string
    {
        return \implode(', ', \array_fill(0, $count, '?'));
    }
}
