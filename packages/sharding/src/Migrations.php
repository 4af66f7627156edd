<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Connection\Failure;

/**
 * DDL on all shards, with a ledger on each: a statement that a shard has is not executed there again. A statement that was begun and
 * not ended is not repeated by itself, for DDL is not transactional: it may have been executed.
 */
final class Migrations
{
    private const LEDGER = '`_sluice_migrations`';
    /** What names of statements of everywhere() begin with. */
    private const DIRECT = 'direct ';
    private const BEGUN = 0;
    private const DONE = 1;
    private const EVERYWHERE = 2;

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
     * One statement on all shards, one after the other. When a shard refuses it, the same statement given again is executed on those that do not
     * have it, and no other one is taken before.
     *
     * @throws ShardingException which says which shards have it
     */
    public function everywhere(string $statement): void
    {
        $name = self::DIRECT . \md5($statement);
        $shards = $this->keyspace->shards();
        $states = [];
        foreach ($shards as $shard) {
            $states[$shard->name] = $this->direct($shard, $name, $statement);
        }
        if ($states[$shards[0]->name] !== self::EVERYWHERE) {
            $done = \array_filter($states, static fn(?int $state) => $state === self::DONE);
            foreach ($shards as $i => $shard) {
                if ($states[$shard->name] === null) {
                    $this->directOn($shard, $name, $statement, \array_map(strval(...), \array_keys($done)), \array_slice($shards, $i + 1));
                    $done[$shard->name] = self::DONE;
                }
            }
            // Written down first: whoever is killed while the ledgers are cleared, and repeats the statement, executes it nowhere twice.
            self::mark($shards[0], $name, self::EVERYWHERE);
        }
        foreach (\array_reverse($shards) as $shard) {
            self::mark($shard, $name, null);
        }
        $this->keyspace->schema->forget();
    }

    /**
     * Whether a shard has a statement of everywhere().
     *
     * @throws ShardingException when it has begun it, or when another one is not on all shards yet
     */
    private function direct(Shard $shard, string $name, string $statement): ?int
    {
        $rows = $shard->use(static function (\PDO $db): array {
            self::create($db);
            return Ask::rows($db, 'SELECT name, statement, is_done FROM ' . self::LEDGER . ' WHERE name LIKE ?', [self::DIRECT . '%']);
        });
        $state = null;
        foreach ($rows as [$other, $of, $isDone]) {
            if ($other !== $name && Ask::int($isDone) !== self::EVERYWHERE) {
                throw new ShardingException('The statement "' . (\is_string($of) ? $of : '') . "\" was executed on the shard $shard->name, and not on all shards. Repeat it first. If you have undone it, delete its"
                    . ' rows from _sluice_migrations.');
            }
            $state = $other === $name ? Ask::int($isDone) : $state;
        }
        if ($state === self::BEGUN) {
            throw new ShardingException("The shard $shard->name has begun the statement \"$statement\" and not ended it. Look whether it was executed; then set its is_done in _sluice_migrations to 1, or"
                . ' delete its row.');
        }
        return $state;
    }

    /**
     * @param list<string> $done
     * @param list<Shard> $rest
     */
    private function directOn(Shard $shard, string $name, string $statement, array $done, array $rest): void
    {
        $shard->use(static fn(\PDO $db) => $db->prepare('INSERT INTO ' . self::LEDGER . ' (name, number, statement, is_done) VALUES (?, 0, ?, ?)')->execute([$name, $statement, self::BEGUN]));
        try {
            $shard->use(static fn(\PDO $db) => $db->exec($statement));
        } catch (\PDOException $error) {
            if (!Failure::isBroken($error)) {
                self::mark($shard, $name, null);  // The server has answered: it was not executed.
            }
            throw new ShardingException("The statement \"$statement\" failed on the shard $shard->name: {$error->getMessage()}. Executed: " . (\implode(', ', $done) ?: 'none') . '. Not executed: '
                . (\implode(', ', \array_map(static fn(Shard $one) => $one->name, $rest)) ?: 'none') . '. Given again, it is executed on those that do not have it.', 0, $error);
        }
        self::mark($shard, $name, self::DONE);
    }

    private static function mark(Shard $shard, string $name, ?int $state): void
    {
        $shard->use(static fn(\PDO $db) => $state === null ? $db->prepare('DELETE FROM ' . self::LEDGER . ' WHERE name = ?')->execute([$name])
            : $db->prepare('UPDATE ' . self::LEDGER . ' SET is_done = ? WHERE name = ?')->execute([$state, $name]));
    }

    private static function create(\PDO $db): void
    {
        $db->exec('CREATE TABLE IF NOT EXISTS ' . self::LEDGER . ' (name VARCHAR(190) NOT NULL, number INT NOT NULL, statement TEXT NOT NULL, is_done INT NOT NULL, PRIMARY KEY (name, number))');
    }

    /**
     * @param list<string> $statements
     * @return array<int, string>
     */
    private function pending(Shard $shard, string $name, array $statements, bool $repeats): array
    {
        $rows = $shard->use(static function (\PDO $db) use ($name): array {
            self::create($db);
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
