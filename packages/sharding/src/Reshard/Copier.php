<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Ask, Identifier, Keyspace, Runtime, Shard, ShardingException, Table, TableKind, TableRows};

/** Copies rows of one old shard to the new ones, and copies anew what has changed. @internal */
final class Copier
{
    private const CHUNK = 500;
    /** About so many changes are copied by one follow(). */
    public const CHANGES = 500;
    /** So many rows are locked at a time while they are read. */
    private const LOCKED = 100;
    /** A deadlock, and a lock that was not free: the statement is repeated. */
    private const REPEATABLE = [1205, 1213];
    private const ATTEMPTS = 20;
    public readonly Progress $progress;
    public readonly Fence $fence;
    /** @var array<string, TableRows> by table */
    private array $rows = [];
    private ?Changes $changes = null;

    /** @param list<Part> $parts the tables of the source */
    public function __construct(
        public readonly Shard $source,
        private readonly Group $group,
        private readonly Keyspace $to,
        private readonly array $parts,
    ) {
        $this->progress = new Progress($source);
        $this->fence = new Fence($source);
    }

    /** Makes the tables of the new shards, and begins to note what changes. */
    public function prepare(): void
    {
        $this->progress->create();
        $this->createTables();
        if ($this->progress->get('began') === null) {
            foreach ($this->tables() as $table) {
                foreach ($this->group->targets($this->source) as $target) {
                    if ($target->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT 1 FROM ' . Identifier::quote($table->schema->name) . ' LIMIT 1')) !== []) {
                        throw new ShardingException("The table {$table->schema->name} of the new shard $target->name has rows already. Empty it.");
                    }
                }
            }
            $this->progress->set('began', 'yes');
        }
        $this->changes()->begin();
    }

    /** Stops noting. */
    public function end(): void
    {
        NotedChanges::end($this->source, $this->names());
    }

    /** Drops the tables of the new shards. */
    public function dropTables(): void
    {
        foreach ($this->progress->exists() && $this->progress->get('began') !== null ? $this->tables() : [] as $table) {
            foreach ($this->group->targets($this->source) as $target) {
                $target->use(static function (\PDO $db) use ($table): void {
                    $db->exec('SET foreign_key_checks = 0');
                    $db->exec('DROP TABLE IF EXISTS ' . Identifier::quote($table->schema->name));
                    $db->exec('SET foreign_key_checks = DEFAULT');
                });
            }
        }
    }

    private function createTables(): void
    {
        $cascades = $this->source->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT TABLE_NAME, CONSTRAINT_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()'
            . " AND (DELETE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT') OR UPDATE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT'))"));
        foreach ($cascades as [$table, $name]) {
            throw new ShardingException('The foreign key ' . (\is_string($name) ? $name : '') . ' of ' . (\is_string($table) ? $table : '')
                . " on the shard {$this->source->name} changes rows by itself, which no trigger and no log shows. Make it RESTRICT, and change these rows by statements.");
        }
        foreach ($this->parts as $part) {
            $table = $part->table;
            $created = $this->source->use(static fn(\PDO $db) => Ask::rows($db, 'SHOW CREATE TABLE ' . Identifier::quote($part->name))[0][1] ?? '');
            $created = \is_string($created) ? $created : '';
            if ($part->name !== $table->schema->name && \str_contains($created, ' FOREIGN KEY ')) {
                throw new ShardingException("The table $part->name on the shard {$this->source->name} has a foreign key, which would name a table with a number on the new shards. Drop it.");
            }
            $definition = (string) \preg_replace_callback('/\ACREATE TABLE `[^`]+`/', static fn() => 'CREATE TABLE IF NOT EXISTS ' . Identifier::quote($table->schema->name), $created);
            foreach ($this->group->targets($this->source) as $target) {
                $target->use(static function (\PDO $db) use ($definition): void {
                    $db->exec('SET foreign_key_checks = 0');
                    $db->exec($definition);
                    $db->exec('SET foreign_key_checks = DEFAULT');
                });
            }
            if ($this->group->joins() && $table->schema->kind === TableKind::Sharded && \array_diff($table->schema->primary()->columns, $this->rows($part)->keys()) !== []) {
                throw new ShardingException("The primary key of {$table->schema->name} does not have the sharding key, so rows of two shards may have the same one: shards with this table can be split, not joined, and not be given another vindex.");
            }
        }
    }

    /** Copies all rows that are not there yet, in the order of their primary keys. */
    public function copy(): int
    {
        $copied = 0;
        foreach ($this->parts as $part) {
            $table = $part->table;
            $rows = $this->rows($part);
            $name = "table $part->name";
            $after = $this->progress->get($name);
            while ($after !== 'done') {
                $chunk = $rows->after($after === null ? null : TableRows::decode($after), self::CHUNK);
                foreach ($this->byTarget($table, $chunk) as [$target, $some]) {
                    self::patiently(static fn() => $rows->write($target, $some, 'INSERT IGNORE'));
                }
                $copied += \count($chunk);
                $after = \count($chunk) < self::CHUNK ? 'done' : TableRows::encode($rows->key($chunk[\count($chunk) - 1]));
                $this->progress->set($name, $after);
            }
        }
        return $copied;
    }

    /**
     * Copies what has changed.
     *
     * @param bool $locks whether to wait for transactions that are in the log and not committed yet; not while writers are paused
     * @return int how many keys there were; 0: no change that is committed is left
     */
    public function follow(bool $locks = true): int
    {
        $changes = $this->changes();
        $count = 0;
        foreach ($changes->read(self::CHANGES) as $name => $keys) {
            foreach ($this->parts as $part) {
                foreach ($part->name === $name ? \array_chunk($keys, self::LOCKED) : [] as $some) {
                    self::patiently(fn() => $this->again($part, $some, $locks && $changes->precedesCommit()));
                    $count += \count($some);
                }
            }
        }
        $changes->forget();
        return $count;
    }

    /** The binary log when the server has one of rows that may be read, else triggers. What was chosen once is kept. */
    public function changes(): Changes
    {
        if ($this->changes !== null) {
            return $this->changes;
        }
        $chosen = $this->progress->get('changes');
        $logged = $chosen === 'noted' ? null : LoggedChanges::of($this->source, $this->names(), $this->progress);
        if ($logged === null && $chosen === 'logged') {
            throw new ShardingException("The binary log of the shard {$this->source->name} could be read when the resharding began, and cannot any more. Let it be read, or roll back and begin again.");
        }
        if ($chosen === null) {
            $this->progress->set('changes', $logged === null ? 'noted' : 'logged');
        }
        $keys = [];
        foreach ($this->parts as $part) {
            $keys[$part->name] = $this->rows($part)->keys();
        }
        return $this->changes = $logged ?? new NotedChanges($this->source, $keys);
    }

    public function rows(Part $part): TableRows
    {
        return $this->rows[$part->name] ??= new TableRows($this->source, $part->name, $part->table->schema->name);
    }

    /** @return list<string> */
    private function names(): array
    {
        return \array_map(static fn(Part $part) => $part->name, $this->parts);
    }

    /** @return list<Table> of the new shards */
    private function tables(): array
    {
        $tables = [];
        foreach ($this->parts as $part) {
            $tables[$part->table->schema->name] = $part->table;
        }
        return \array_values($tables);
    }

    /** @param non-empty-list<list<mixed>> $keys */
    private function again(Part $part, array $keys, bool $locks): void
    {
        $rows = $this->rows($part);
        $found = $rows->find($keys, $locks);
        // Rows that are gone, or whose sharding key has changed, are on no shard, or on one of the others.
        foreach ($this->group->targets($this->source) as $target) {
            $rows->delete($target, $keys);
        }
        foreach ($this->byTarget($part->table, $found) as [$target, $some]) {
            $rows->write($target, $some, 'REPLACE');
        }
    }

    /**
     * @param list<array<string, mixed>> $rows
     * @return list<array{Shard, non-empty-list<array<string, mixed>>}>
     */
    private function byTarget(Table $table, array $rows): array
    {
        $targets = [];
        $some = [];
        foreach ($rows as $row) {
            $target = $this->target($table, $row);
            foreach ($target === null ? $this->group->targets($this->source) : [$target] as $one) {
                $targets[$one->name] = $one;
                $some[$one->name][] = $row;
            }
        }
        $by = [];
        foreach ($targets as $name => $target) {
            $by[] = [$target, $some[$name]];
        }
        return $by;
    }

    /**
     * The new shard of a row; null for all, as a reference table's are.
     *
     * @param array<string, mixed> $row
     */
    private function target(Table $table, array $row): ?Shard
    {
        if ($table->schema->kind !== TableKind::Sharded) {
            return null;
        }
        $key = [];
        foreach ($table->schema->primary()->columns as $column) {
            $key[] = $row[$column] ?? null;
        }
        $target = $this->to->shardOf($table->keyspaceId(...$key));
        if (!\in_array($target, $this->group->targets($this->source), true)) {
            throw new ShardingException("The table {$table->schema->name} on the shard {$this->source->name} has a row that belongs to the shard $target->name ("
                . \implode(', ', \array_map(static fn(mixed $value) => \is_scalar($value) ? (string) $value : 'NULL', $key)) . '). Look for such rows by: sluice shard verify.');
        }
        return $target;
    }

    /** @param \Closure(): mixed $work which can be repeated */
    private static function patiently(\Closure $work): void
    {
        for ($attempt = 1;; ++$attempt) {
            try {
                $work();
                return;
            } catch (\PDOException $error) {
                if ($attempt === self::ATTEMPTS || !\in_array($error->errorInfo[1] ?? 0, self::REPEATABLE, true)) {
                    throw $error;
                }
                Runtime::sleep(0.01);
            }
        }
    }
}
