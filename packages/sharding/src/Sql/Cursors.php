<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\ShardingException;

/** Executes statements on connections, and reads their rows. @internal */
final class Cursors
{
    /** @var \WeakMap<\PDO, true>|null connections that hand on rows as they come */
    private static ?\WeakMap $unbuffered = null;

    /**
     * @param list<mixed> $values
     * @param array<int, int> $types of PDO, by the values' positions
     */
    public static function execute(\PDO $db, string $sql, array $values, array $types = [], bool $isBuffered = true): \PDOStatement
    {
        self::buffer($db, $isBuffered);
        if ($values === []) {
            $statement = $db->query($sql);
        } else {
            $statement = $db->prepare($sql);
            foreach ($values as $i => $value) {
                $statement->bindValue($i + 1, $value, $types[$i] ?? match (true) {
                    \is_int($value) => \PDO::PARAM_INT,
                    $value === null => \PDO::PARAM_NULL,
                    \is_bool($value) => \PDO::PARAM_BOOL,
                    default => \PDO::PARAM_STR,
                });
            }
            $statement->execute();
        }
        return $statement;
    }

    /** Whether the driver keeps a whole result in memory, or hands on its rows as they come. */
    public static function buffer(\PDO $db, bool $isBuffered): void
    {
        /** @var \WeakMap<\PDO, true> $unbuffered */
        $unbuffered = self::$unbuffered ??= new \WeakMap();
        // Connections begin buffered, and each statement says what it needs: nothing is to be done for most.
        if ($isBuffered === !isset($unbuffered[$db]) || $db->getAttribute(\PDO::ATTR_DRIVER_NAME) !== 'mysql') {
            return;
        }
        $db->setAttribute(\PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, $isBuffered);
        if ($isBuffered) {
            unset($unbuffered[$db]);
        } else {
            $unbuffered[$db] = true;
        }
    }

    /**
     * The columns of a result that was read, or the statement for who wants to know them later: one that is prepared by the client needs no
     * connection any more, so it may outlive the loan.
     *
     * @return list<array<string, mixed>>|\PDOStatement
     */
    public static function described(\PDO $db, \PDOStatement $statement): array|\PDOStatement
    {
        $isLight = $db->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'mysql' && (bool) $db->getAttribute(\PDO::ATTR_EMULATE_PREPARES);
        return $isLight ? $statement : self::columns($statement);
    }

    /** @return list<array<string, mixed>> */
    public static function columns(\PDOStatement $statement, int $hidden = 0): array
    {
        $columns = [];
        for ($i = 0; $i < $statement->columnCount() - $hidden; ++$i) {
            $meta = $statement->getColumnMeta($i);
            $columns[] = \is_array($meta) ? $meta : ['name' => "column_$i"];
        }
        return $columns;
    }

    /** @return \Generator<int, list<mixed>> */
    public static function rows(\PDOStatement $statement): \Generator
    {
        while (\is_array($row = $statement->fetch(\PDO::FETCH_NUM))) {
            yield $row;
        }
    }

    /**
     * All rows, within a number of bytes that several of these calls have in common.
     *
     * @return list<list<mixed>>
     * @throws ShardingException when they are more
     */
    public static function all(\PDOStatement $statement, int &$bytes, int $maxBytes): array
    {
        $rows = [];
        foreach (self::rows($statement) as $row) {
            $bytes += Merger::size($row);
            if ($bytes > $maxBytes) {
                $statement->closeCursor();
                throw new ShardingException("The rows of a query over several shards take more than $maxBytes bytes (mergeBytes). Limit the query, read it unbuffered"
                    . ' (PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false), or raise mergeBytes.');
            }
            $rows[] = $row;
        }
        return $rows;
    }
}
