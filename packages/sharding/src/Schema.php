<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Types and collations of columns, which merging needs: asked of one shard when a table is first merged. @internal */
final class Schema
{
    /** @var array<string, array<string, Column>> */
    private array $tables = [];
    /** @var array<string, string> the weight of a space by collation; '' when spaces at the end count */
    private array $padding = [];

    public function __construct(private readonly Keyspace $keyspace) {}

    /** @throws ShardingException when the table does not have it */
    public function column(string $table, string $column): Column
    {
        $this->tables[$table] ??= $this->load($table);
        return $this->tables[$table][$column] ?? throw new ShardingException("The table $table has no column $column on the shard {$this->keyspace->shards()[0]->name}.");
    }

    public function forget(): void
    {
        $this->tables = [];
    }

    /** What a shorter string is filled up with, as weights, before two are compared. */
    public function padding(string $collation): string
    {
        return $this->padding[$collation] ??= $this->keyspace->shards()[0]->use(static function (\PDO $db) use ($collation): string {
            if (\str_contains($collation, 'nopad') || \str_contains($collation, '0900')) {
                return '';
            }
            $charset = (string) Ask::text($db, 'SELECT CHARACTER_SET_NAME FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY WHERE COLLATION_NAME = ?', [$collation]);
            if (!\preg_match('/\A\w+\z/', $charset) || !\preg_match('/\A\w+\z/', $collation)) {
                throw new ShardingException("The server has no character set for the collation $collation.");
            }
            return (string) \hex2bin((string) Ask::text($db, "SELECT HEX(WEIGHT_STRING(CONVERT(' ' USING $charset) COLLATE $collation))"));
        }, isRead: true);
    }

    /** @return array<string, Column> */
    private function load(string $table): array
    {
        $name = $this->keyspace->table($table)->anyName();
        $rows = $this->keyspace->shards()[0]->use(static fn(\PDO $db) => $db->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'sqlite' ? self::ofSqlite($db, $name) : Ask::rows($db,
            'SELECT COLUMN_NAME, DATA_TYPE, COLLATION_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?', [$name]), isRead: true);
        $columns = [];
        foreach ($rows as $row) {
            if (\is_string($row[0]) && \is_string($row[1])) {
                $columns[\strtolower($row[0])] = new Column(\strtolower($row[1]), \is_string($row[2]) ? $row[2] : '');
            }
        }
        return $columns;
    }

    /**
     * SQLite stands in for a server in tests and examples: its texts are compared as bytes.
     *
     * @return list<list<mixed>>
     */
    private static function ofSqlite(\PDO $db, string $table): array
    {
        $rows = [];
        foreach (Ask::rows($db, 'SELECT name, type FROM pragma_table_info(?)', [$table]) as [$name, $type]) {
            $type = \is_string($type) ? \strtoupper($type) : '';
            $rows[] = [$name, match (true) {
                \str_contains($type, 'INT') => 'bigint',
                \str_contains($type, 'CHAR'), \str_contains($type, 'TEXT') => 'varbinary',
                \str_contains($type, 'REAL'), \str_contains($type, 'DOUB'), \str_contains($type, 'FLOA') => 'double',
                \str_contains($type, 'DATE'), \str_contains($type, 'BLOB') => 'varbinary',
                default => 'decimal',
            }, ''];
        }
        return $rows;
    }
}
