<?php

declare(strict_types=1);

namespace Sluice\Sharding\Binlog;

use Sluice\Sharding\{Ask, Shard};

/** The primary key of a table as the log has it. @internal */
final readonly class Key
{
    /** Types and their bytes. */
    private const INTEGERS = ['tinyint' => 1, 'smallint' => 2, 'mediumint' => 3, 'int' => 4, 'bigint' => 8];

    /** @param array<int, array{type: string, isUnsigned: bool}> $columns by their places in the table, in the order of the key */
    private function __construct(private array $columns) {}

    /** Null for a key whose values are not read from the log: only whole numbers, dates, and texts of UTF-8 are. */
    public static function of(Shard $shard, string $table): ?self
    {
        $columns = [];
        $sql = 'SELECT c.ORDINAL_POSITION, c.DATA_TYPE, c.COLUMN_TYPE, c.CHARACTER_SET_NAME FROM information_schema.KEY_COLUMN_USAGE k JOIN information_schema.COLUMNS c'
            . ' USING (TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME) WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND k.CONSTRAINT_NAME = \'PRIMARY\' ORDER BY k.ORDINAL_POSITION';
        foreach ($shard->use(static fn(\PDO $db) => Ask::rows($db, $sql, [$table]), isRead: true) as [$place, $type, $full, $charset]) {
            $isText = \in_array($type, ['char', 'varchar'], true) && \in_array($charset, ['utf8mb3', 'utf8', 'utf8mb4', 'ascii'], true);
            if (!\is_string($type) || (!$isText && $type !== 'date' && !isset(self::INTEGERS[$type]))) {
                return null;
            }
            $columns[Ask::int($place) - 1] = ['type' => $type, 'isUnsigned' => \is_string($full) && \str_contains($full, 'unsigned')];
        }
        return $columns === [] ? null : new self($columns);
    }

    /**
     * @param array<int, int> $places where the values of the row's columns begin, by columns; those that are NULL or not in the log are not there
     * @return list<int|string>|null null when the row in the log does not have it, as what is after an UPDATE that leaves it alone
     */
    public function read(TableMap $map, string $row, array $places): ?array
    {
        $key = [];
        foreach ($this->columns as $column => ['type' => $type, 'isUnsigned' => $isUnsigned]) {
            if (!isset($places[$column])) {
                return null;
            }
            $at = $places[$column];
            if (isset(self::INTEGERS[$type])) {
                $key[] = self::integer($row, $at, self::INTEGERS[$type], $isUnsigned);
            } elseif ($type === 'date') {
                $date = TableMap::little($row, $at, 3);
                $key[] = \sprintf('%04d-%02d-%02d', $date >> 9, $date >> 5 & 15, $date & 31);
            } else {
                $prefix = $map->prefix($column);
                $key[] = \substr($row, $at + $prefix, TableMap::little($row, $at, $prefix));
            }
        }
        return $key;
    }

    private static function integer(string $row, int $at, int $bytes, bool $isUnsigned): int|string
    {
        $number = TableMap::little($row, $at, $bytes);
        if ($bytes === 8) {
            return $isUnsigned && $number < 0 ? \sprintf('%u', $number) : $number;
        }
        $sign = 1 << 8 * $bytes - 1;
        return !$isUnsigned && ($number & $sign) !== 0 ? $number - 2 * $sign : $number;
    }
}
