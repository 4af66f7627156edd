<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Vindex\{LegacySplit, UnicodeLoose};

/** Looks whether shards are as the VSchema says: their tables alike, each row where its key belongs, reference tables equal. */
final class Verification
{
    /** Rows that are read at a time. */
    private const CHUNK = 10_000;

    public function __construct(private readonly Keyspace $keyspace) {}

    /** @return list<string> a sentence for each thing that is wrong */
    public function run(): array
    {
        $wrong = [];
        foreach ($this->keyspace->vschema->tables as $schema) {
            $table = $this->keyspace->table($schema->name);
            \array_push($wrong, ...$this->definitions($table));
            if ($schema->kind === TableKind::Sharded) {
                \array_push($wrong, ...$this->collations($table));
                foreach ($this->keyspace->shards() as $shard) {
                    \array_push($wrong, ...$this->misplaced($table, $shard));
                }
            } elseif ($schema->kind === TableKind::Reference) {
                \array_push($wrong, ...$this->copies($table));
            }
        }
        return $wrong;
    }

    /**
     * A text that the column takes for equal must not be on another shard.
     *
     * @return list<string>
     */
    private function collations(Table $table): array
    {
        $wrong = [];
        foreach ($table->schema->vindexes as $vindex) {
            foreach ($vindex->vindex instanceof UnicodeLoose ? [] : $vindex->columns as $column) {
                $collation = $this->keyspace->schema->column($table->schema->name, $column)->collation;
                if ($collation !== '' && !\str_ends_with($collation, '_bin')) {
                    $wrong[] = "The column {$table->schema->name}.$column has the collation $collation, and the vindex $vindex->name tells apart what that takes for equal. Give the column a _bin"
                        . ' collation, or take a unicode_loose vindex.';
                }
            }
        }
        return $wrong;
    }

    /** @return list<string> */
    private function definitions(Table $table): array
    {
        $wrong = [];
        $first = null;
        foreach ($this->keyspace->shards() as $shard) {
            $definition = $shard->use(static function (\PDO $db) use ($table): string {
                try {
                    $created = Ask::rows($db, 'SHOW CREATE TABLE ' . Identifier::quote($table->anyName()))[0][1] ?? '';
                    return (string) \preg_replace('/ AUTO_INCREMENT=\d+/', '', \is_string($created) ? $created : '');
                } catch (\PDOException $error) {
                    return "error: {$error->getMessage()}";
                }
            }, isRead: true);
            $first ??= $definition;
            if (\str_starts_with($definition, 'error: ')) {
                $wrong[] = "The shard $shard->name has no table {$table->schema->name}: " . \substr($definition, 7);
            } elseif ($definition !== $first) {
                $wrong[] = "The table {$table->schema->name} on the shard $shard->name is not as on the shard {$this->keyspace->shards()[0]->name}.";
            }
        }
        return $wrong;
    }

    /** @return list<string> */
    private function misplaced(Table $table, Shard $shard): array
    {
        $vindex = $table->schema->primary();
        $columns = \implode(', ', \array_map(Identifier::quote(...), $vindex->columns));
        $wrong = [];
        foreach ($vindex->vindex instanceof LegacySplit ? $vindex->vindex->suffixes() : [''] as $suffix) {
            [$count, $example] = $shard->use(static function (\PDO $db) use ($table, $shard, $columns, $suffix, $vindex): array {
                $count = 0;
                $example = '';
                $after = null;
                $name = Identifier::quote($table->schema->name . $suffix);
                do {
                    // By keyset, so that no chunk is read twice and no long read holds up others.
                    $where = $after === null ? '' : " WHERE ($columns) > (" . \implode(', ', \array_fill(0, \count($after), '?')) . ')';
                    $rows = Ask::rows($db, "SELECT $columns FROM $name$where GROUP BY $columns ORDER BY $columns LIMIT " . self::CHUNK, $after ?? []);
                    foreach ($rows as $key) {
                        $id = $table->keyspaceId(...$key);
                        if (!$shard->range->contains($id) || ($vindex->vindex instanceof LegacySplit && $vindex->vindex->suffix($id) !== $suffix)) {
                            ++$count;
                            $example = \implode(', ', \array_map(static fn(mixed $value) => \is_scalar($value) ? (string) $value : 'NULL', $key));
                        }
                    }
                    $after = $rows[\count($rows) - 1] ?? null;
                } while (\count($rows) === self::CHUNK);
                return [$count, $example];
            }, isRead: true);
            if ($count > 0) {
                $wrong[] = "The table {$table->schema->name}$suffix on the shard $shard->name has $count keys that belong elsewhere, such as $example.";
            }
        }
        return $wrong;
    }

    /** @return list<string> */
    private function copies(Table $table): array
    {
        $wrong = [];
        $first = null;
        foreach ($this->keyspace->shards() as $shard) {
            $sum = $shard->use(static fn(\PDO $db) => Ask::rows($db, 'CHECKSUM TABLE ' . Identifier::quote($table->schema->name))[0][1] ?? null, isRead: true);
            $first ??= $sum;
            if ($sum !== $first) {
                $wrong[] = "The reference table {$table->schema->name} on the shard $shard->name has other rows than on the shard {$this->keyspace->shards()[0]->name}.";
            }
        }
        return $wrong;
    }
}
