<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Vindex\Lookup;

/** Lookup tables in a keyspace: in its own shards by their first column, or in another keyspace. Each call is a transaction of its own. */
final class LookupTables implements LookupStore
{
    public function __construct(private readonly Keyspace $keyspace) {}

    public function find(Lookup $vindex, mixed $value): array
    {
        return $this->at($vindex, $value, static function (\PDO $db, string $table) use ($vindex, $value): array {
            $statement = $db->prepare('SELECT ' . Identifier::quote($vindex->to) . " FROM $table WHERE " . Identifier::quote($vindex->from[0]) . ' = ?');
            $statement->execute([$value]);
            return \array_values($statement->fetchAll(\PDO::FETCH_COLUMN));
        });
    }

    public function create(Lookup $vindex, mixed $value, string $to): bool
    {
        return $this->at($vindex, $value, static function (\PDO $db, string $table) use ($vindex, $value, $to): bool {
            try {
                $db->prepare("INSERT INTO $table (" . Identifier::quote($vindex->from[0]) . ', ' . Identifier::quote($vindex->to) . ') VALUES (?, ?)')->execute([$value, $to]);
                return true;
            } catch (\PDOException $error) {
                if (($error->errorInfo[0] ?? '') === '23000') {
                    return false;
                }
                throw $error;
            }
        });
    }

    public function replace(Lookup $vindex, mixed $value, string $to): void
    {
        $this->at($vindex, $value, static fn(\PDO $db, string $table): bool => $db->prepare(
            "UPDATE $table SET " . Identifier::quote($vindex->to) . ' = ? WHERE ' . Identifier::quote($vindex->from[0]) . ' = ?',
        )->execute([$to, $value]));
    }

    public function delete(Lookup $vindex, mixed $value, string $to): void
    {
        $this->at($vindex, $value, static fn(\PDO $db, string $table): bool => $db->prepare(
            "DELETE FROM $table WHERE " . Identifier::quote($vindex->from[0]) . ' = ? AND ' . Identifier::quote($vindex->to) . ' = ?',
        )->execute([$value, $to]));
    }

    /**
     * @template R
     * @param \Closure(\PDO, string): R $work
     * @return R
     */
    private function at(Lookup $vindex, mixed $value, \Closure $work): mixed
    {
        [$keyspace, $name] = $this->keyspace->resolve($vindex->table);
        while (true) {
            $shard = $keyspace->isSharded() ? $keyspace->table($name)->shard($value) : $keyspace->onlyShard();
            try {
                return $shard->use(static fn(\PDO $db) => $work($db, Identifier::quote($name)));
            } catch (ShardMovedException) {
                continue;  // The table gives the new shard now.
            }
        }
    }
}
