<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Ask, Identifier, Shard, Table, TableRows};

/** Changes that triggers note in a table beside the rows: for servers without a binary log of rows. @internal */
final class NotedChanges implements Changes
{
    private const TABLE = '`_sluice_changes`';
    private const EVENTS = ['insert', 'update', 'delete'];
    /** @var list<int> */
    private array $numbers = [];

    /** @param array<string, list<string>> $keys the columns of primary keys, by table */
    public function __construct(private readonly Shard $shard, private readonly array $keys) {}

    public function begin(): void
    {
        $this->shard->use(static fn(\PDO $db) => $db->exec('CREATE TABLE IF NOT EXISTS ' . self::TABLE
            . ' (seq BIGINT AUTO_INCREMENT PRIMARY KEY, tbl VARCHAR(64) NOT NULL, row_key TEXT CHARACTER SET utf8mb4 NOT NULL)'));
        foreach ($this->keys as $table => $keys) {
            $note = static fn(string $row): string => 'INSERT INTO ' . self::TABLE . ' (tbl, row_key) VALUES (' . "'$table', JSON_ARRAY("
                . \implode(', ', \array_map(static fn(string $column) => "$row." . Identifier::quote($column), $keys)) . '))';
            foreach (['insert' => $note('NEW'), 'delete' => $note('OLD'), 'update' => "BEGIN {$note('OLD')}; {$note('NEW')}; END"] as $event => $body) {
                Locks::ddl($this->shard, 'CREATE TRIGGER IF NOT EXISTS ' . self::trigger($table, $event) . " AFTER $event ON " . Identifier::quote($table) . " FOR EACH ROW $body");
            }
        }
    }

    public function read(int $limit): array
    {
        $this->numbers = [];
        $keys = [];
        foreach ($this->shard->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT seq, tbl, row_key FROM ' . self::TABLE . " ORDER BY seq LIMIT $limit")) as [$number, $table, $key]) {
            $this->numbers[] = Ask::int($number);
            if (\is_string($table) && \is_string($key)) {
                $keys[$table][$key] = TableRows::decode($key);  // A row that has changed often is copied once.
            }
        }
        return \array_map(array_values(...), $keys);
    }

    public function forget(): void
    {
        // Only what was read: a transaction with a smaller number may end later.
        if ($this->numbers !== []) {
            $this->shard->use(fn(\PDO $db) => $db->exec('DELETE FROM ' . self::TABLE . ' WHERE seq IN (' . \implode(', ', $this->numbers) . ')'));
        }
        $this->numbers = [];
    }

    /** @param list<string> $tables */
    public static function end(Shard $shard, array $tables): void
    {
        foreach ($tables as $table) {
            foreach (self::EVENTS as $event) {
                Locks::ddl($shard, 'DROP TRIGGER IF EXISTS ' . self::trigger($table, $event));
            }
        }
        $shard->use(static fn(\PDO $db) => $db->exec('DROP TABLE IF EXISTS ' . self::TABLE));
    }

    public function precedesCommit(): bool
    {
        return false;
    }

    private static function trigger(string $table, string $event): string
    {
        return Identifier::quote("_sluice_note_{$table}_$event");
    }
}
