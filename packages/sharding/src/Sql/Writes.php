<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Identifier, SessionState, ShardMovedException, Table, Target, Transaction};
use Sluice\Sharding\Vindex\Lookup;

/** INSERT, UPDATE and DELETE: on one shard, or on several in one transaction, with the entries of lookup vindexes. @internal */
final readonly class Writes
{
    public function __construct(private SessionState $state, private OneShard $shard) {}

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    public function change(Plan $plan, array $parameters, array $types): Result
    {
        $routes = Router::routes($plan, $parameters);
        if (\count($routes) > 1 && ($plan->statement->block->limit !== null || $plan->statement->block->order !== [])) {
            throw Unsupported::because('UPDATE or DELETE with ORDER BY or LIMIT over several shards', 'Give it one key.');
        }
        $lookups = $this->entriesToDelete($plan, $routes, $parameters, $types);
        $result = $this->write($plan, $routes, static fn() => [], $parameters, $types);
        $this->afterCommit(static function () use ($lookups): void {
            foreach ($lookups as [$vindex, $value, $id]) {
                $vindex->delete($value, $id);
            }
        });
        return $plan->kind === PlanKind::WriteEverywhere && \count($routes) > 0 ? Result::changed(\intdiv($result->rowCount, \count($routes)), $result->lastInsertId) : $result;
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    public function insert(Plan $plan, array $parameters, array $types): Result
    {
        \assert($plan->target !== null);
        $table = $plan->target;
        $inserting = new Inserting($plan, $table, $parameters);
        $routes = [];
        $rows = [];
        foreach ($inserting->places as ['route' => $route, 'rows' => $of]) {
            $routes[] = $route;
            $rows[$route->shard->name . $route->suffix] = $of;
        }
        foreach ($inserting->lookups as [$vindex, $value, $id]) {
            $vindex->create($value, $id, fn(string $at): bool => $this->hasOwner($table, $vindex, $value, $at));
        }
        $result = $this->write($plan, $routes, static fn(Route $route) => $inserting->editsFor($rows[$route->shard->name . $route->suffix]), $parameters, $types);
        if ($inserting->firstNumber !== null) {
            $this->state->lastInsertId = (string) $inserting->firstNumber;
        }
        return $result;
    }

    /**
     * Writes to one shard, or to several in one transaction.
     *
     * @param list<Route> $routes
     * @param \Closure(Route): list<Edit> $edits
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function write(Plan $plan, array $routes, \Closure $edits, array $parameters, array $types): Result
    {
        if ($this->state->target !== Target::Primary) {
            throw new Unsupported('VT09002', "a write to {$plan->target?->schema->name} while the target is @replica", 'USE the keyspace without @replica.');
        }
        if (\count($routes) === 1) {
            return $this->shard->run($plan, $routes[0], $edits($routes[0]), $parameters, $types);
        }
        if ($this->state->transaction !== null || $plan->statement->directives->multiShardAutocommit) {
            return $this->writeAll($plan, $routes, $edits, $parameters, $types);
        }
        $this->state->transaction = $mine = Transaction::ordered($plan->keyspace);
        try {
            return $mine->run(fn() => $this->writeAll($plan, $routes, $edits, $parameters, $types));
        } catch (ShardMovedException $moved) {
            $moved->isRepeatable = true;  // All of it was rolled back.
            throw $moved;
        } finally {
            $this->state->transaction = null;
        }
    }

    /**
     * @param list<Route> $routes
     * @param \Closure(Route): list<Edit> $edits
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function writeAll(Plan $plan, array $routes, \Closure $edits, array $parameters, array $types): Result
    {
        $count = 0;
        foreach ($routes as $i => $route) {
            try {
                $count += $this->shard->run($plan, $route, $edits($route), $parameters, $types)->rowCount;
            } catch (ShardMovedException $moved) {
                $moved->isRepeatable = $moved->isRepeatable && $i === 0;
                throw $moved;
            }
        }
        return Result::changed($count, $this->state->lastInsertId);
    }

    private function hasOwner(Table $table, Lookup $vindex, mixed $value, string $keyspaceId): bool
    {
        $column = null;
        foreach ($table->schema->vindexes as $one) {
            $column = $one->vindex === $vindex ? $one->columns[0] : $column;
        }
        return $this->state->keyspace->shardOf($keyspaceId)->use(static function (\PDO $db) use ($table, $column, $value): bool {
            $statement = $db->prepare('SELECT 1 FROM ' . Identifier::quote($table->schema->name) . ' WHERE ' . Identifier::quote((string) $column) . ' = ? LIMIT 1 FOR UPDATE');
            $statement->execute([$value]);
            return $statement->fetchColumn() !== false;
        });
    }

    /**
     * @param list<Route> $routes
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     * @return list<array{Lookup, mixed, string}>
     */
    private function entriesToDelete(Plan $plan, array $routes, array $parameters, array $types): array
    {
        if ($plan->statement->kind !== StatementKind::Delete || $plan->target === null) {
            return [];
        }
        $table = $plan->target;
        $entries = [];
        foreach ($table->schema->vindexes as $owned) {
            if (!$owned->isOwned || !$owned->vindex instanceof Lookup) {
                continue;
            }
            $columns = [...$table->schema->primary()->columns, $owned->columns[0]];
            $block = $plan->statement->block;
            $select = 'SELECT ' . \implode(', ', \array_map(Identifier::quote(...), $columns)) . ' FROM ';
            foreach ($routes as $route) {
                $found = $this->shard->run($plan, $route, [new Edit(0, $block->tables[0]->start, $select)], $parameters, $types);
                foreach ($found->rows as $row) {
                    $value = \array_pop($row);
                    $entries[] = [$owned->vindex, $table->schema->key($owned->columns[0], $value), $table->keyspaceId(...$row)];
                }
            }
        }
        return $entries;
    }

    /** @param \Closure(): mixed $work */
    private function afterCommit(\Closure $work): void
    {
        $this->state->transaction === null ? $work() : $this->state->transaction->afterCommit($work);
    }
}
