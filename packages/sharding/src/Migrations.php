<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * DDL on all shards, with a ledger on each: a statement that a shard has is not executed there again. A statement that was begun and
 * not ended is not repeated by itself, for DDL is not transactional: it may have been executed.
 */
final class Migrations
{
    private const LEDGER = '`_sluice_migrations`';

    public function __construct(private readonly Keyspace $keyspace) {}

    /**
     * @param string $name under which the ledger has it, such as a file's name
     * @param list<string> $statements
     * @param bool $repeats whether statements that were begun and not ended are executed again
     * @return array<string, int> how many statements each shard has executed now
     * @throws ShardingException when a shard has begun a statement and not ended it, or has another statement under this name
     * @throws \PDOException of a shard; the others keep what they have executed
     */
    public function run(string $name, array $statements, bool $repeats = false): array
    {
        // All ledgers first: nothing is executed anywhere while one of them is in doubt.
        foreach ($this->keyspace->shards() as $shard) {
            $this->pending($shard, $name, $statements, $repeats);
        }
        $counts = [];
        foreach ($this->keyspace->shards() as $shard) {
            $pending = $this->pending($shard, $name, $statements, $repeats);
            $shard->use(static function (\PDO $db) use ($name, $pending): void {
                foreach ($pending as $number => $statement) {
                    $db->prepare('REPLACE INTO ' . self::LEDGER . ' (name, number, statement, is_done) VALUES (?, ?, ?, 0)')->execute([$name, $number, $statement]);
                    $db->exec($statement);
                    $db->prepare('UPDATE ' . self::LEDGER . ' SET is_done = 1 WHERE name = ? AND number = ?')->execute([$name, $number]);
                }
            });
            $counts[$shard->name] = \count($pending);
        }
        $this->keyspace->schema->forget();
        return $counts;
    }

    /**
     * @param list<string> $statements
     * @return array<int, string>
     */
    private function pending(Shard $shard, string $name, array $statements, bool $repeats): array
    {
        $rows = $shard->use(static function (\PDO $db) use ($name): array {
            $db->exec('CREATE TABLE IF NOT EXISTS ' . self::LEDGER . ' (name VARCHAR(190) NOT NULL, number INT NOT NULL, statement TEXT NOT NULL, is_done INT NOT NULL, PRIMARY KEY (name, number))');
            return Ask::rows($db, 'SELECT number, statement, is_done FROM ' . self::LEDGER . ' WHERE name = ?', [$name]);
        });
        $pending = $statements;
        foreach ($rows as [$number, $statement, $isDone]) {
            $number = Ask::int($number);
            if (($statements[$number] ?? null) !== $statement) {
                throw new ShardingException("The shard $shard->name has another statement number $number under the name $name. Give what is changed a new name.");
            }
            if (Ask::int($isDone) === 1) {
                unset($pending[$number]);
            } elseif (!$repeats) {
                throw new ShardingException("The shard $shard->name has begun the statement \"$statements[$number]\" of $name and not ended it. Look whether it was executed; then delete its row"
                    . ' from _sluice_migrations, or set is_done to 1, or repeat it by --repeat.');
            }
        }
        return $pending;
    }

    /**
     * The statements of a file, which `;` at the end of a line ends.
     *
     * @return list<string>
     */
    public static function statements(string $sql): array
    {
        $statements = [];
        foreach (\preg_split('/;[ \t]*(?:\r?\n|\z)/', $sql) ?: [] as $statement) {
            $statement = \trim((string) \preg_replace('/^\s*(?:--|#).*$/m', '', $statement));
            if ($statement !== '') {
                $statements[] = $statement;
            }
        }
        return $statements;
    }
}
