<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Table, TableKind};

/** The tables of a block and of the blocks around it, by the names that columns have before their point. */
final class Scope
{
    /** @var array<string, array{TableRef, Table|null}> by alias; null for what is on every shard */
    public array $tables = [];

    public function __construct(public readonly ?self $outer = null) {}

    /** @return array{TableRef, Table, self}|null the sharded table that the column is of, when that is certain */
    public function owner(Expr $column): ?array
    {
        if ($column->kind !== ExprKind::Column) {
            return null;
        }
        if ($column->table !== '') {
            for ($scope = $this; $scope !== null; $scope = $scope->outer) {
                if (isset($scope->tables[$column->table])) {
                    [$ref, $table] = $scope->tables[$column->table];
                    return $table === null ? null : [$ref, $table, $scope];
                }
            }
            return null;
        }
        // Without a qualifier it is certain when one table has a vindex on it: were it in another one, too, the server would refuse it.
        $found = null;
        foreach ($this->tables as [$ref, $table]) {
            if ($table !== null && (\count($this->tables) === 1 || self::hasVindexOn($table, $column->name))) {
                if ($found !== null) {
                    return null;
                }
                $found = [$ref, $table, $this];
            }
        }
        return $found;
    }

    /** @return list<array{TableRef, Table}> */
    public function sharded(): array
    {
        $sharded = [];
        foreach ($this->tables as [$ref, $table]) {
            if ($table !== null && $table->schema->kind === TableKind::Sharded) {
                $sharded[] = [$ref, $table];
            }
        }
        return $sharded;
    }

    private static function hasVindexOn(Table $table, string $column): bool
    {
        foreach ($table->schema->vindexes as $vindex) {
            if (\in_array($column, $vindex->columns, true)) {
                return true;
            }
        }
        return false;
    }
}
