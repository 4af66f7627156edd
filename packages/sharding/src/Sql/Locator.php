<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Keyspace, ShardingException, Table, TableKind};
use Sluice\Sharding\Vindex\{Lookup, MultiCol, Ordered};

/**
 * Finds out where the rows are that a statement is about. Only conditions count that every row must meet: those connected by AND in WHERE
 * and in the ON of inner joins. Tables whose keys are equal are together; all others must each have a key.
 */
final class Locator
{
    /** @var list<Constraint> what must agree on one place */
    public array $constraints = [];
    /** @var list<array{TableRef, Table}> together in one place that no key says: to be asked on all shards */
    public array $free = [];
    public int $freeGroups = 0;
    /** @var list<array{TableRef, Table}> all sharded tables */
    public array $tables = [];
    /** Whether all must be in one place: what is in sub-queries and UNIONs cannot be merged. */
    public bool $needsOne = false;
    public Scope $scope;
    private ?Scope $freeIn = null;

    public function __construct(private readonly Keyspace $keyspace)
    {
        $this->scope = new Scope();
    }

    public function locate(Block $block): void
    {
        $this->scope = $this->block($block, null, true);
    }

    private function block(Block $block, ?Scope $outer, bool $isTop): Scope
    {
        $scope = new Scope($outer);
        foreach ($block->tables as $ref) {
            if (isset($scope->tables[$ref->alias])) {
                throw Unsupported::because("two tables with the name $ref->alias", 'Give each an alias.');
            }
            $scope->tables[$ref->alias] = [$ref, $ref->block === null ? $this->table($ref) : null];
        }
        $conditions = $block->where?->conjuncts() ?? [];
        foreach ($block->tables as $ref) {
            if (!$ref->isOuter && $ref->on !== null) {
                \array_push($conditions, ...$ref->on->conjuncts());
            }
        }
        $constraints = \count($this->constraints);
        $this->place($scope, $conditions);
        if (!$isTop && $this->freeGroups > 0 && $this->free !== [] && $this->freeIn === $scope) {
            throw Unsupported::because("a sub-query on {$this->free[\count($this->free) - 1][0]->name} without its sharding key", 'Compare its key with the outer query\'s, or give it the key.');
        }
        $this->needsOne = $this->needsOne || (!$isTop && \count($this->constraints) > $constraints) || $block->unions !== [];
        foreach ($block->blocks as $inner) {
            $this->block($inner, $this->isDerived($block, $inner) ? null : $scope, false);
        }
        foreach ($block->unions as $union) {
            $this->block($union, $outer, false);
        }
        return $scope;
    }

    /** @param list<Expr> $conditions */
    private function place(Scope $scope, array $conditions): void
    {
        $sharded = $scope->sharded();
        \array_push($this->tables, ...$sharded);
        /** @var array<string, string> $group from an alias to the alias that stands for its group */
        $group = [];
        /** @var array<string, true> $withOuter groups that are where the row of an outer block is */
        $withOuter = [];
        foreach ($sharded as [$ref]) {
            $group[$ref->alias] = $ref->alias;
        }
        foreach ($sharded as [$ref, $table]) {
            $mine = $ref->isOuter ? [...$conditions, ...($ref->on?->conjuncts() ?? [])] : $conditions;
            foreach ($this->partners($scope, $ref, $table, $mine) as [$other, $in]) {
                if ($in !== $scope) {
                    $withOuter[$group[$ref->alias]] = true;
                    continue;
                }
                $from = $group[$other->alias];
                foreach ($group as $alias => $of) {
                    $group[$alias] = $of === $from ? $group[$ref->alias] : $of;
                }
                if (isset($withOuter[$from])) {
                    $withOuter[$group[$ref->alias]] = true;
                }
            }
        }
        $groups = [];
        foreach ($sharded as [$ref, $table]) {
            $groups[$group[$ref->alias]][] = [$ref, $table];
        }
        foreach ($groups as $name => $members) {
            if (isset($withOuter[$name])) {
                continue;
            }
            $best = $this->best($scope, $members, $conditions);
            if ($best !== null) {
                $this->constraints[] = $best;
            } else {
                ++$this->freeGroups;
                $this->freeIn = $scope;
                \array_push($this->free, ...$members);
            }
        }
    }

    /**
     * The tables whose key must be equal to this one's.
     *
     * @param list<Expr> $conditions
     * @return list<array{TableRef, Scope}>
     */
    private function partners(Scope $scope, TableRef $ref, Table $table, array $conditions): array
    {
        $primary = $table->schema->primary();
        if (\count($primary->columns) !== 1) {
            return [];
        }
        $partners = [];
        foreach ($ref->using as $column) {
            foreach ($column === $primary->columns[0] ? $scope->sharded() : [] as [$other, $otherTable]) {
                if ($other !== $ref && $this->isSameKey($table, $otherTable, $column)) {
                    $partners[] = [$other, $scope];
                }
            }
        }
        foreach ($conditions as $condition) {
            if ($condition->kind !== ExprKind::Binary || $condition->name !== '=') {
                continue;
            }
            foreach ([[0, 1], [1, 0]] as [$i, $j]) {
                $left = $scope->owner($condition->args[$i]);
                $right = $scope->owner($condition->args[$j]);
                if ($left !== null && $right !== null && $left[0] === $ref && $condition->args[$i]->name === $primary->columns[0] && $right[0] !== $ref
                    && $right[1]->schema->kind === TableKind::Sharded && $this->isSameKey($table, $right[1], $condition->args[$j]->name)) {
                    $partners[] = [$right[0], $right[2]];
                }
            }
        }
        return $partners;
    }

    private function isSameKey(Table $table, Table $other, string $column): bool
    {
        $mine = $table->schema->primary();
        $theirs = $other->schema->primary();
        return $theirs->columns === [$column] && $mine->vindex == $theirs->vindex
            && ($table->schema->types[$mine->columns[0]] ?? '') === ($other->schema->types[$column] ?? '');
    }

    /**
     * The cheapest condition that says where the tables of a group are.
     *
     * @param non-empty-list<array{TableRef, Table}> $members
     * @param list<Expr> $conditions
     */
    private function best(Scope $scope, array $members, array $conditions): ?Constraint
    {
        $best = null;
        foreach ($members as [$ref, $table]) {
            foreach ($table->schema->vindexes as $vindex) {
                if ($vindex !== $table->schema->primary() && !$vindex->vindex instanceof Lookup) {
                    continue;  // Another function on another column says nothing of where the row is.
                }
                $columns = [];
                foreach ($vindex->columns as $column) {
                    $values = $this->valuesOf($scope, $ref, $column, $conditions);
                    if ($values === null) {
                        break;
                    }
                    $columns[] = $values;
                }
                if ($columns === [] || (\count($columns) < \count($vindex->columns) && !$vindex->vindex instanceof MultiCol)) {
                    continue;
                }
                $keys = [[]];
                foreach ($columns as $values) {
                    $longer = [];
                    foreach ($keys as $key) {
                        foreach ($values as $value) {
                            $longer[] = [...$key, $value];
                        }
                    }
                    $keys = $longer;
                }
                $cost = $vindex->vindex->cost() * 10_000 + \count($keys);
                if (($best === null || $cost < $best[0])) {
                    $best = [$cost, new Constraint($table, $vindex, $keys)];
                }
            }
        }
        return $best[1] ?? $this->range($scope, $members, $conditions);
    }

    /**
     * A range of the key of a table whose vindex keeps the order.
     *
     * @param non-empty-list<array{TableRef, Table}> $members
     * @param list<Expr> $conditions
     */
    private function range(Scope $scope, array $members, array $conditions): ?Constraint
    {
        foreach ($members as [$ref, $table]) {
            $vindex = $table->schema->primary();
            // Without the column's type a value may be compared as another one than it is mapped as.
            if (!$vindex->vindex instanceof Ordered || !\str_contains($table->schema->types[$vindex->columns[0]] ?? '', 'INT')) {
                continue;
            }
            $low = [];
            $high = [];
            foreach ($conditions as $condition) {
                [$column, $first] = [$condition->args[0] ?? null, $condition->args[1] ?? null];
                if ($column === null || $first === null) {
                    continue;
                }
                if ($condition->name === 'BETWEEN' && $this->isColumn($scope, $column, $ref, $vindex->columns[0]) && $first->isValue() && $condition->args[2]->isValue()) {
                    $low[] = $first;
                    $high[] = $condition->args[2];
                    continue;
                }
                $operator = $condition->kind === ExprKind::Binary ? $condition->name : '';
                if ($column->isValue()) {
                    [$column, $first] = [$first, $column];
                    $operator = \strtr($operator, '<>', '><');
                }
                if (!$this->isColumn($scope, $column, $ref, $vindex->columns[0]) || !$first->isValue()) {
                    continue;
                }
                if ($operator === '>' || $operator === '>=') {
                    $low[] = $first;
                } elseif ($operator === '<' || $operator === '<=') {
                    $high[] = $first;
                }
            }
            if ($low !== [] || $high !== []) {
                return new Constraint($table, $vindex, [], $low, $high);
            }
        }
        return null;
    }

    /**
     * @param list<Expr> $conditions
     * @return non-empty-list<Expr>|null
     */
    private function valuesOf(Scope $scope, TableRef $ref, string $column, array $conditions): ?array
    {
        $found = null;
        foreach ($conditions as $condition) {
            $values = null;
            if ($condition->kind === ExprKind::Binary && $condition->name === '=') {
                [$left, $right] = $condition->args;
                if ($left->isValue()) {
                    [$left, $right] = [$right, $left];
                }
                $values = $this->isColumn($scope, $left, $ref, $column) && $right->isValue() ? [$right] : null;
            } elseif ($condition->kind === ExprKind::In && $this->isColumn($scope, $condition->args[0], $ref, $column)) {
                $values = \array_slice($condition->args, 1);
                foreach ($values as $value) {
                    if (!$value->isValue()) {
                        $values = null;
                        break;
                    }
                }
            }
            if ($values !== null && $values !== [] && ($found === null || \count($values) < \count($found))) {
                $found = $values;
            }
        }
        return $found;
    }

    private function isColumn(Scope $scope, Expr $expr, TableRef $ref, string $column): bool
    {
        return $expr->kind === ExprKind::Column && $expr->name === $column && ($scope->owner($expr)[0] ?? null) === $ref;
    }

    private function isDerived(Block $block, Block $inner): bool
    {
        foreach ($block->tables as $ref) {
            if ($ref->block === $inner) {
                return true;
            }
        }
        return false;
    }

    private function table(TableRef $ref): ?Table
    {
        if (\in_array($ref->keyspace, ['information_schema', 'mysql', 'performance_schema', 'sys'], true)) {
            return null;
        }
        try {
            $table = $this->keyspace->table($ref->name);
        } catch (ShardingException) {
            throw new Unsupported('VT05005', "table $ref->name is not in the keyspace {$this->keyspace->name}", 'Add it to the VSchema: with column_vindexes, or as a reference table.');
        }
        return $table->schema->kind === TableKind::Sharded ? $table : null;
    }

    private function apart(): Unsupported
    {
        $names = \implode(', ', \array_unique(\array_map(static fn(array $one) => $one[0]->name, $this->free)));
        return Unsupported::because("tables that need not be on one shard ($names)", 'Connect them by equality of their sharding keys, or give each a key.');
    }

    /** @throws Unsupported when tables may be on different shards */
    public function requireTogether(): void
    {
        if ($this->freeGroups > 1 || ($this->freeGroups === 1 && $this->constraints !== [])) {
            throw $this->apart();
        }
    }
}
