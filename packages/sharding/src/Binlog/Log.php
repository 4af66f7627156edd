<?php

declare(strict_types=1);

namespace Sluice\Sharding\Binlog;

use Sluice\Sharding\{Address, ShardingException};

/**
 * Reads from a binary log the primary keys of rows that have changed, from a position to which it can come back. What a prepared XA
 * transaction has changed counts from its XA COMMIT on, which may come much later in the log.
 *
 * @internal
 */
final class Log
{
    private const QUERY = 2;
    private const ROTATE = 4;
    private const XID = 16;
    private const TABLE_MAP = 19;
    private const XA_PREPARE = 38;
    private const GTID_OF_MARIADB = 162;
    private const HEADER = 19;
    /** Rows by kind, as MariaDB and MySQL 5.1 number them, and as MySQL does from 5.6 on. */
    private const ROWS = [23, 24, 25, 30, 31, 32];
    private const UPDATES = [24, 31];
    private const COMPRESSED = [40, 165, 166, 167, 168, 169, 170, 171];

    /** @var array<int, TableMap> */
    private array $maps = [];
    /** @var array<string, array<string, list<int|string>>> keys that are committed, by table */
    private array $keys = [];
    /** @var array<string, array<string, list<int|string>>> keys of the transaction that is being read */
    private array $open = [];
    /** @var array<string, array{keys: array<string, array<string, list<int|string>>>, file: string, position: int}> prepared XA transactions, where each begins */
    private array $prepared = [];
    private string $began = '';
    private int $beganAt = 0;

    /** @param array<string, Key> $tables by their names as the server has them */
    public function __construct(
        private readonly Address $address,
        private readonly array $tables,
        private string $file,
        private int $position,
    ) {}

    /**
     * Reads on, to the log's end or until there are so many keys.
     *
     * @return array<string, list<list<int|string>>> primary keys by table, each once
     */
    public function read(int $keys): array
    {
        [$this->maps, $this->keys, $this->open, $this->began] = [[], [], [], ''];
        $wire = new Wire($this->address);
        foreach ($wire->events($this->file, $this->position) as $event) {
            $isEnd = $this->event(\ord($event[4]), TableMap::little($event, 13, 4), \substr($event, self::HEADER));
            if ($isEnd && \array_sum(\array_map(count(...), $this->keys)) >= $keys) {
                break;
            }
        }
        return \array_map(array_values(...), $this->keys);
    }

    /**
     * Where another reader goes on when the keys that read() has given are dealt with.
     *
     * @return array{string, int}
     */
    public function position(): array
    {
        // What a prepared transaction has changed stands before its end, and only this reader knows it.
        foreach ($this->prepared as ['file' => $file, 'position' => $position]) {
            return [$file, $position];
        }
        return [$this->file, $this->position];
    }

    /** @return bool whether reading can stop behind it */
    private function event(int $type, int $end, string $body): bool
    {
        if (\in_array($type, self::ROWS, true)) {
            $this->rows($type, $body);
            return false;
        }
        if ($type === self::TABLE_MAP) {
            $map = TableMap::parse(\substr($body, 8));
            $this->maps[TableMap::little($body, 0, 6)] = $map;
            return false;
        }
        if (\in_array($type, self::COMPRESSED, true)) {
            throw new ShardingException('The binary log is compressed, which is not read. Set log_bin_compress or binlog_transaction_compression off, and begin again.');
        }
        $isEnd = match ($type) {
            self::ROTATE => $this->rotate($body),
            self::XID => $this->commit(),
            self::QUERY => $this->query($body),
            self::XA_PREPARE => $this->prepare($body),
            default => false,
        };
        if ($type === self::GTID_OF_MARIADB) {
            [$this->began, $this->beganAt] = [$this->file, $this->position];
        } elseif ($isEnd && $type !== self::ROTATE && $end > 0) {
            $this->position = $end;
        }
        return $isEnd;
    }

    private function rotate(string $body): bool
    {
        $position = TableMap::little($body, 0, 8);
        $file = \substr($body, 8);
        // The server begins with one that names where it was asked to begin.
        if ($file !== $this->file) {
            [$this->file, $this->position] = [$file, $position];
        }
        return true;
    }

    private function commit(): bool
    {
        foreach ($this->open as $table => $keys) {
            $this->keys[$table] = $keys + ($this->keys[$table] ?? []);
        }
        $this->open = [];
        return true;
    }

    private function query(string $body): bool
    {
        $schemaLength = \ord($body[8]);
        $at = 13 + TableMap::little($body, 11, 2);
        $schema = \substr($body, $at, $schemaLength);
        $sql = \trim(\substr($body, $at + $schemaLength + 1));
        if (\strcasecmp($sql, 'BEGIN') === 0) {
            if ($this->began === '') {
                [$this->began, $this->beganAt] = [$this->file, $this->position];
            }
            return false;
        }
        if (\preg_match('/\AXA\s+(COMMIT|ROLLBACK|START|END)\s+(.*?)(\s+ONE PHASE)?\z/is', $sql, $found) === 1) {
            return match (\strtoupper($found[1])) {
                'COMMIT' => $this->endXa($found[2], true),
                'ROLLBACK' => $this->endXa($found[2], false),
                default => false,
            };
        }
        if ($schema === $this->schema() && \preg_match('/\A(?:\/\*.*?\*\/\s*)*(TRUNCATE|ALTER\s+TABLE|DROP\s+TABLE|INSERT|UPDATE|DELETE|REPLACE|LOAD)\b/is', $sql) === 1 && $this->isOfTables($sql)) {
            throw new ShardingException("\"" . \substr($sql, 0, 200) . '" is in the binary log as a statement, and its rows are not known. Roll back, and begin again.');
        }
        // COMMIT of a transaction without InnoDB, ROLLBACK of one with it, and DDL, which ends a transaction.
        \strcasecmp($sql, 'ROLLBACK') === 0 ? $this->open = [] : $this->commit();
        $this->began = '';
        return true;
    }

    private function prepare(string $body): bool
    {
        [$format, $global, $branch] = [TableMap::little($body, 1, 4), TableMap::little($body, 5, 4), TableMap::little($body, 9, 4)];
        $id = self::xid(\bin2hex(\substr($body, 13, $global)), \bin2hex(\substr($body, 13 + $global, $branch)), $format);
        if (\ord($body[0]) !== 0) {
            return $this->commit();
        }
        if ($this->open !== []) {
            $this->prepared[$id] = ['keys' => $this->open, 'file' => $this->began, 'position' => $this->beganAt];
        }
        $this->open = [];
        $this->began = '';
        return true;
    }

    private function endXa(string $xid, bool $commits): bool
    {
        if (\preg_match("/\\AX'([0-9a-f]*)'\\s*(?:,\\s*X'([0-9a-f]*)'\\s*)?(?:,\\s*(\\d+))?\\z/i", $xid, $found) === 1) {
            $id = self::xid(\strtolower($found[1]), \strtolower($found[2] ?? ''), (int) ($found[3] ?? 1));
            if ($commits && isset($this->prepared[$id])) {
                $this->open = $this->prepared[$id]['keys'];
            }
            unset($this->prepared[$id]);
        }
        $this->began = '';
        return $this->commit();
    }

    private static function xid(string $global, string $branch, int $format): string
    {
        return "$global $branch $format";
    }

    private function rows(int $type, string $body): void
    {
        $map = $this->maps[TableMap::little($body, 0, 6)] ?? null;
        if ($map === null || $map->schema !== $this->schema() || !isset($this->tables[$map->table])) {
            return;
        }
        $at = 8;
        if ($type >= 30) {
            $at += TableMap::little($body, $at, 2);
        }
        $count = TableMap::number($body, $at);
        $isUpdate = \in_array($type, self::UPDATES, true);
        $bytes = \intdiv($count + 7, 8);
        $images = [self::columns($body, $at, $count)];
        $at += $bytes;
        if ($isUpdate) {
            $images[] = self::columns($body, $at, $count);
            $at += $bytes;
        }
        while ($at < \strlen($body)) {
            foreach ($images as $columns) {
                $places = $this->places($map, $body, $at, $columns);
                $key = $this->tables[$map->table]->read($map, $body, $places);
                if ($key !== null) {
                    $this->open[$map->table][\json_encode($key, \JSON_THROW_ON_ERROR)] = $key;
                }
            }
        }
    }

    /** @return list<int> which columns the rows have */
    private static function columns(string $body, int $at, int $count): array
    {
        $columns = [];
        for ($i = 0; $i < $count; ++$i) {
            if ((\ord($body[$at + ($i >> 3)]) >> ($i & 7) & 1) === 1) {
                $columns[] = $i;
            }
        }
        return $columns;
    }

    /**
     * Where the values of a row are; goes over it.
     *
     * @param list<int> $columns
     * @return array<int, int>
     */
    private function places(TableMap $map, string $body, int &$at, array $columns): array
    {
        $nulls = $at;
        $at += \intdiv(\count($columns) + 7, 8);
        $places = [];
        foreach ($columns as $i => $column) {
            if ((\ord($body[$nulls + ($i >> 3)]) >> ($i & 7) & 1) === 0) {
                $places[$column] = $at;
                $at += $map->size($column, $body, $at);
            }
        }
        return $places;
    }

    private function schema(): string
    {
        return $this->address->database;
    }

    private function isOfTables(string $sql): bool
    {
        foreach ($this->tables as $name => $_) {
            if (\preg_match('/(?<![\w$])' . \preg_quote($name, '/') . '(?![\w$])/i', \substr($sql, 0, 1000)) === 1) {
                return true;
            }
        }
        return false;
    }
}
