<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * Copies the rows of shards to shards with other ranges while they are written. Each step can be repeated after a kill at any moment: rows
 * are copied without overwriting, and triggers note the keys of rows that change, which are copied anew until none is left.
 *
 * The order is prepare(), copy(), follow(), fence(), follow(), verify(). Then the application gets the new map, and finish() cleans up.
 * rollBack() leads back from any step before the new map is used.
 */
final class Resharding
{
    private const CHUNK = 500;
    private const CHANGES = '`_sluice_changes`';
    private const PROGRESS = '`_sluice_progress`';
    /** @var array<string, TableRows> by shard and table */
    private array $rows = [];

    /**
     * @param Keyspace $from the shards that are
     * @param Keyspace $to the VSchema of $from with the shards that shall be; those with a name that $from has, too, stay as they are
     */
    public function __construct(private readonly Keyspace $from, private readonly Keyspace $to) {}

    /**
     * All steps up to verify(). Writes are refused from fence() on, so that the last changes are few.
     *
     * @param callable(string): mixed $say called with a line for each step
     * @return list<string> what verify() has found wrong; the fence is open again then
     */
    public function run(callable $say): array
    {
        $this->prepare();
        $say('prepared');
        $say('copied ' . $this->copy() . ' rows');
        while (($left = $this->follow(self::CHUNK)) > self::CHUNK) {
            $say("still following, $left keys are left");
        }
        $began = \hrtime(true);
        $this->fence();
        while ($this->follow() > 0) {
            $say('still following behind the fence');
        }
        $wrong = $this->verify();
        $say(\sprintf('writes are refused since %.3f s', (\hrtime(true) - $began) / 1e9));
        if ($wrong !== []) {
            $this->rollBack();
        }
        return $wrong;
    }

    /** Makes the tables of new shards, and the triggers that note what changes. */
    public function prepare(): void
    {
        foreach ($this->to->shards() as $target) {
            $sources = \array_filter($this->sources(), static fn(Shard $source) => $source->range->intersects($target->range));
            if (\count($sources) > 1) {
                throw new ShardingException("The new shard $target->name takes rows of several old ones, which is not supported: shards can be split, not joined.");
            }
        }
        foreach ($this->sources() as $source) {
            $source->use(static function (\PDO $db): void {
                $db->exec('CREATE TABLE IF NOT EXISTS ' . self::CHANGES . ' (seq BIGINT AUTO_INCREMENT PRIMARY KEY, tbl VARCHAR(64) NOT NULL, row_key TEXT CHARACTER SET utf8mb4 NOT NULL)');
                $db->exec('CREATE TABLE IF NOT EXISTS ' . self::PROGRESS . ' (tbl VARCHAR(64) PRIMARY KEY, row_key TEXT CHARACTER SET utf8mb4 NULL, is_done INT NOT NULL DEFAULT 0)');
            });
            foreach ($this->tables() as $table) {
                $created = $source->use(static fn(\PDO $db) => Ask::rows($db, 'SHOW CREATE TABLE ' . Identifier::quote($table->schema->name))[0][1] ?? '');
                $definition = \is_string($created) ? (string) \preg_replace('/\ACREATE TABLE /', 'CREATE TABLE IF NOT EXISTS ', $created) : '';
                foreach ($this->targets($source) as $target) {
                    $target->use(static fn(\PDO $db) => $db->exec($definition));
                }
                $this->notes($source, $table);
            }
        }
    }

    /** Copies all rows that are not there yet, in the order of their primary keys. */
    public function copy(): int
    {
        $copied = 0;
        foreach ($this->sources() as $source) {
            foreach ($this->tables() as $table) {
                $rows = $this->rows($source, $table);
                [$after, $isDone] = $source->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT row_key, is_done FROM ' . self::PROGRESS . ' WHERE tbl = ?', [$table->schema->name]))[0] ?? [null, 0];
                $after = \is_string($after) ? TableRows::decode($after) : null;
                while (Ask::int($isDone) === 0) {
                    $chunk = $rows->after($after, self::CHUNK);
                    foreach ($this->byTarget($source, $table, $chunk) as [$target, $some]) {
                        $rows->write($target, $some, 'INSERT IGNORE');
                    }
                    $copied += \count($chunk);
                    $isDone = (int) (\count($chunk) < self::CHUNK);
                    $after = $chunk === [] ? $after : $rows->key($chunk[\count($chunk) - 1]);
                    $source->use(static fn(\PDO $db) => $db->prepare('REPLACE INTO ' . self::PROGRESS . ' (tbl, row_key, is_done) VALUES (?, ?, ?)')
                        ->execute([$table->schema->name, $after === null ? null : TableRows::encode($after), $isDone]));
                }
            }
        }
        return $copied;
    }

    /**
     * Copies what has changed, until no more than `$enough` keys are noted or the time is over.
     *
     * @return int how many are left
     */
    public function follow(int $enough = 0, float $seconds = 60.0): int
    {
        $until = \microtime(true) + $seconds;
        do {
            $left = 0;
            foreach ($this->sources() as $source) {
                $notes = $source->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT seq, tbl, row_key FROM ' . self::CHANGES . ' ORDER BY seq LIMIT ' . self::CHUNK));
                // A row that has changed often is copied once.
                $keys = [];
                foreach ($notes as [, $name, $key]) {
                    if (\is_string($name) && \is_string($key)) {
                        $keys[$name][$key] = TableRows::decode($key);
                    }
                }
                foreach ($keys as $name => $some) {
                    $this->again($source, $this->from->table($name), \array_values($some));
                }
                // Only what was read is forgotten: a transaction with a smaller number may end later.
                $numbers = \implode(', ', \array_map(static fn(array $note) => Ask::int($note[0]), $notes));
                $left += $source->use(static function (\PDO $db) use ($numbers): int {
                    if ($numbers !== '') {
                        $db->exec('DELETE FROM ' . self::CHANGES . " WHERE seq IN ($numbers)");
                    }
                    return (int) Ask::text($db, 'SELECT COUNT(*) FROM ' . self::CHANGES);
                });
            }
        } while ($left > $enough && \microtime(true) < $until);
        return $left;
    }

    /** Refuses writes to the old shards from now on. What was being written is ended before, as the server makes a trigger only then. */
    public function fence(): void
    {
        foreach ($this->sources() as $source) {
            foreach ($this->tables() as $table) {
                foreach (['INSERT', 'UPDATE', 'DELETE'] as $event) {
                    $trigger = Identifier::quote("_sluice_fence_{$table->schema->name}_" . \strtolower($event));
                    $source->use(static fn(\PDO $db) => $db->exec("CREATE OR REPLACE TRIGGER $trigger BEFORE $event ON " . Identifier::quote($table->schema->name)
                        . " FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'The rows of this shard have moved: reload the map of shards'"));
                }
            }
        }
    }

    /** @return list<string> a sentence for each table whose rows differ */
    public function verify(): array
    {
        $wrong = [];
        foreach ($this->sources() as $source) {
            foreach ($this->tables() as $table) {
                $rows = $this->rows($source, $table);
                $there = $rows->checksum($source);
                $here = [0, '0'];
                foreach ($this->targets($source) as $target) {
                    [$count, $sum] = $rows->checksum($target);
                    $here = [$here[0] + $count, Decimal::add($here[1], $sum)];
                }
                if ($there !== $here && $table->schema->kind === TableKind::Sharded) {
                    $wrong[] = "The table {$table->schema->name} of the shard $source->name has $there[0] rows (checksum $there[1]), and its new shards have $here[0] ($here[1]).";
                }
            }
        }
        return $wrong;
    }

    /** Opens the old shards again, and stops noting; the new shards keep what they have. */
    public function rollBack(): void
    {
        $this->clean(true);
    }

    /** Stops noting. The old shards stay fenced: whoever has the old map must not write. */
    public function finish(): void
    {
        $this->clean(false);
    }

    private function clean(bool $opens): void
    {
        foreach ($this->sources() as $source) {
            foreach ($this->tables() as $table) {
                foreach (['insert', 'update', 'delete'] as $event) {
                    foreach ($opens ? ['fence', 'note'] : ['note'] as $kind) {
                        $source->use(static fn(\PDO $db) => $db->exec('DROP TRIGGER IF EXISTS ' . Identifier::quote("_sluice_{$kind}_{$table->schema->name}_$event")));
                    }
                }
            }
            $source->use(static fn(\PDO $db) => $db->exec('DROP TABLE IF EXISTS ' . self::CHANGES . ', ' . self::PROGRESS));
        }
    }

    private function notes(Shard $source, Table $table): void
    {
        $keys = ($this->rows($source, $table))->keys();
        $note = static fn(string $row): string => 'INSERT INTO ' . self::CHANGES . ' (tbl, row_key) VALUES (' . "'{$table->schema->name}', JSON_ARRAY("
            . \implode(', ', \array_map(static fn(string $column) => "$row." . Identifier::quote($column), $keys)) . '))';
        foreach (['INSERT' => $note('NEW'), 'DELETE' => $note('OLD'), 'UPDATE' => "BEGIN {$note('OLD')}; {$note('NEW')}; END"] as $event => $body) {
            $trigger = Identifier::quote("_sluice_note_{$table->schema->name}_" . \strtolower($event));
            $source->use(static fn(\PDO $db) => $db->exec("CREATE TRIGGER IF NOT EXISTS $trigger AFTER $event ON " . Identifier::quote($table->schema->name) . " FOR EACH ROW $body"));
        }
    }

    private function rows(Shard $source, Table $table): TableRows
    {
        return $this->rows["$source->name {$table->schema->name}"] ??= new TableRows($source, $table);
    }

    /** @param non-empty-list<list<mixed>> $keys */
    private function again(Shard $source, Table $table, array $keys): void
    {
        $rows = $this->rows($source, $table);
        $found = $rows->find($keys);
        // Rows that are gone, or whose sharding key has changed, are on no shard, or on one of the others.
        foreach ($this->targets($source) as $target) {
            $rows->delete($target, $keys);
        }
        foreach ($this->byTarget($source, $table, $found) as [$target, $some]) {
            $rows->write($target, $some, 'REPLACE');
        }
    }

    /**
     * @param list<array<string, mixed>> $rows
     * @return list<array{Shard, non-empty-list<array<string, mixed>>}>
     */
    private function byTarget(Shard $source, Table $table, array $rows): array
    {
        $targets = [];
        $some = [];
        foreach ($rows as $row) {
            $target = $this->target($source, $table, $row);
            foreach ($target === null ? $this->targets($source) : [$target] as $one) {
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
    private function target(Shard $source, Table $table, array $row): ?Shard
    {
        if ($table->schema->kind !== TableKind::Sharded) {
            return null;
        }
        $key = [];
        foreach ($table->schema->primary()->columns as $column) {
            $key[] = $row[$column] ?? null;
        }
        return $this->to->shardOf($table->keyspaceId(...$key));
    }

    /** @return list<Shard> old shards that no new one is equal to */
    private function sources(): array
    {
        $names = \array_map(static fn(Shard $shard) => $shard->name, $this->to->shards());
        return \array_values(\array_filter($this->from->shards(), static fn(Shard $shard) => !\in_array($shard->name, $names, true)));
    }

    /** @return list<Shard> */
    private function targets(Shard $source): array
    {
        return \array_values(\array_filter($this->to->shards(), static fn(Shard $shard) => $shard->range->intersects($source->range)));
    }

    /** @return list<Table> */
    private function tables(): array
    {
        return \array_map(fn(TableSchema $schema) => $this->from->table($schema->name), \array_values($this->from->vschema->tables));
    }
}
