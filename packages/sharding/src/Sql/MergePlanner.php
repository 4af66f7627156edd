<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Column, ShardingException, Schema, TableKind};

/** Decides how a SELECT over several shards is merged, or that it cannot be. */
final class MergePlanner
{
    private const AGGREGATES = ['count', 'sum', 'min', 'max', 'avg', 'group_concat', 'bit_and', 'bit_or', 'bit_xor', 'std', 'stddev', 'stddev_pop', 'stddev_samp', 'var_pop',
        'var_samp', 'variance', 'json_arrayagg', 'json_objectagg', 'any_value', 'median', 'percentile_cont', 'percentile_disc'];
    private const REMEDY = 'Give the query a key, or merge in the application by Table::scatter().';

    private readonly Block $block;
    private readonly string $sql;
    /** @var list<string> expressions of hidden columns */
    private array $hidden = [];
    /** @var list<Edit> */
    private array $edits = [];

    private function __construct(private readonly Plan $plan, private readonly Schema $schema)
    {
        $this->block = $plan->statement->block;
        $this->sql = $plan->statement->sql;
    }

    /** @throws Unsupported */
    public static function merge(Plan $plan, Schema $schema): Merge
    {
        return (new self($plan, $schema))->make();
    }

    private function make(): Merge
    {
        $block = $this->block;
        if ($this->plan->needsOne) {
            throw Unsupported::because('sub-queries or UNIONs over several shards', self::REMEDY);
        }
        $this->requireShardedFirst();
        $aggregated = $block->group !== [];
        foreach ([...\array_map(static fn(Item $item) => $item->expr, $block->items), ...\array_map(static fn(Order $order) => $order->expr, $block->order),
            ...($block->having === null ? [] : [$block->having])] as $expr) {
            foreach ($expr->all() as $part) {
                if ($part->hasWindow) {
                    throw Unsupported::because("the window function $part->name() over several shards", self::REMEDY);
                }
                if ($part->name === 'VARIABLE') {
                    throw Unsupported::because('a variable of the session in a query over several shards', self::REMEDY);
                }
                $aggregated = $aggregated || $this->isAggregate($part);
            }
        }
        if (($aggregated || $block->isDistinct) && !$this->isLocal()) {
            return $this->grouped();
        }
        return $this->sorted();
    }

    /** Without groups, or with groups each of which is on one shard: the shards' rows are put in order. */
    private function sorted(): Merge
    {
        $stream = [];
        foreach ($this->block->order as $order) {
            $expr = $this->resolve($order->expr, true);
            $stream[] = $this->sortKey($expr, $order->isDescending);
        }
        if ($this->isFiner($stream)) {
            $this->hidden = [];
            return $this->grouped();
        }
        return new Merge($this->editsWithHidden(), \count($this->hidden), $stream, false, [], [], true);
    }

    private function grouped(): Merge
    {
        $block = $this->block;
        if ($block->having !== null || $block->hasRollup) {
            throw Unsupported::because(($block->hasRollup ? 'WITH ROLLUP' : 'HAVING') . ' with groups that are on several shards', 'Group by the sharding key, too, or filter in the application.');
        }
        if ($block->isDistinct && $block->group !== []) {
            throw Unsupported::because('DISTINCT with GROUP BY over several shards', self::REMEDY);
        }
        $keys = [];
        foreach ($block->isDistinct ? \array_map(static fn(Item $item) => $item->expr, $block->items) : $block->group as $expr) {
            $key = $this->resolve($expr, false);
            if ($key->kind !== ExprKind::Column) {
                throw Unsupported::because("\"{$this->text($key)}\" in GROUP BY or DISTINCT over several shards", 'Group by columns. ' . self::REMEDY);
            }
            $keys[] = $key;
        }
        $aggregates = [];
        foreach ($block->items as $i => $item) {
            $aggregate = $this->item($item, $i, $keys);
            if ($aggregate !== null) {
                $aggregates[] = $aggregate;
            }
        }
        [$keys, $directions, $final] = $this->groupOrder($keys, $aggregates);
        $stream = [];
        $sort = [];
        foreach ($keys as $i => $key) {
            $stream[] = $this->sortKey($key, $directions[$i]);
            $sort[] = $this->text($key) . ($directions[$i] ? ' DESC' : '');
        }
        $final = \array_map(fn(SortKey|Order $one) => $one instanceof SortKey ? $one : $this->sortKey($one->expr, $one->isDescending), $final);
        $this->edits[] = new Edit($block->orderStart, $block->orderEnd, $sort === [] ? '' : ' ORDER BY ' . \implode(', ', $sort));
        return new Merge($this->editsWithHidden(), \count($this->hidden), $stream, true, $aggregates, $final, $final === [] && $keys !== [] && !$this->isFiner($stream));
    }

    /**
     * Whether a shard's DISTINCT may give rows that are equal: texts that differ by spaces at their end are, and the weights beside them are not.
     *
     * @param list<SortKey> $stream
     */
    private function isFiner(array $stream): bool
    {
        return $this->block->isDistinct && \array_filter($stream, static fn(SortKey $key) => $key->padding !== '') !== [];
    }

    /**
     * When ORDER BY names keys of the groups, the shards sort so, and no rows need to be kept; else the merged rows are sorted.
     *
     * @param list<Expr> $keys
     * @param list<Aggregate> $aggregates
     * @return array{list<Expr>, list<bool>, list<SortKey|Order>}
     */
    private function groupOrder(array $keys, array $aggregates): array
    {
        $first = [];
        $directions = [];
        $final = [];
        $isByKeys = true;
        foreach ($this->block->order as $order) {
            $expr = $this->resolve($order->expr, true);
            $key = $this->indexOf($expr, $keys);
            if ($key !== null) {
                if (!\in_array($keys[$key], $first, true)) {
                    $first[] = $keys[$key];
                    $directions[] = $order->isDescending;
                }
                $final[] = new Order($keys[$key], $order->isDescending);
                continue;
            }
            $isByKeys = false;
            foreach ($aggregates as $aggregate) {
                if ($this->isSame($this->block->items[$aggregate->column]->expr, $expr)) {
                    $isText = $aggregate->kind === AggregateKind::Min || $aggregate->kind === AggregateKind::Max;
                    $final[] = $isText ? new SortKey($aggregate->hidden, $aggregate->sort, $aggregate->padding, $order->isDescending)
                        : new SortKey(-1 - $aggregate->column, SortKind::Number, '', $order->isDescending);
                    continue 2;
                }
            }
            throw Unsupported::because("ORDER BY \"{$this->text($expr)}\", which is neither a column of GROUP BY nor selected", 'Select it, too.');
        }
        if (!$isByKeys) {
            return [$keys, \array_fill(0, \count($keys), false), $final];
        }
        foreach ($keys as $key) {
            if (!\in_array($key, $first, true)) {
                $first[] = $key;
                $directions[] = false;
            }
        }
        return [$first, $directions, []];
    }

    /** @param list<Expr> $keys */
    private function item(Item $item, int $i, array $keys): ?Aggregate
    {
        $expr = $item->expr;
        if ($this->indexOf($expr, $keys) !== null || $expr->kind === ExprKind::Literal) {
            return null;
        }
        if ($expr->kind !== ExprKind::Call || \count($expr->args) !== 1) {
            throw Unsupported::because("\"{$this->text($expr)}\" in a query with groups on several shards", 'Select columns of GROUP BY and COUNT, SUM, MIN, MAX or AVG.');
        }
        $kind = match ($expr->name) {
            'count' => AggregateKind::Count,
            'sum' => AggregateKind::Sum,
            'min' => AggregateKind::Min,
            'max' => AggregateKind::Max,
            'avg' => AggregateKind::Avg,
            default => throw Unsupported::because("$expr->name() over several shards", self::REMEDY),
        };
        $arg = $expr->args[0];
        if ($expr->isDistinct && $kind !== AggregateKind::Min && $kind !== AggregateKind::Max && !$this->isKey($arg)) {
            throw Unsupported::because("$expr->name(DISTINCT {$this->text($arg)}) over several shards", 'It is possible for the sharding key. ' . self::REMEDY);
        }
        if ($kind === AggregateKind::Avg) {
            $distinct = $expr->isDistinct ? 'DISTINCT ' : '';
            $alias = $item->alias === null ? ' AS ' . \Sluice\Sharding\Identifier::quote($this->text($expr)) : '';
            $this->edits[] = new Edit($expr->start, $expr->end, "SUM($distinct{$this->text($arg)})$alias");
            return new Aggregate($kind, $i, $this->hide("COUNT($distinct{$this->text($arg)})", true), SortKind::Number, '');
        }
        if ($kind === AggregateKind::Count || $kind === AggregateKind::Sum) {
            return new Aggregate($kind, $i, 0, SortKind::Number, '');
        }
        $key = $this->sortKey($expr, false, true);
        return new Aggregate($kind, $i, $key->column, $key->kind, $key->padding);
    }

    /** Adds what the server is to give so that rows can be compared as it compares them. */
    private function sortKey(Expr $expr, bool $isDescending, bool $isOwn = false): SortKey
    {
        $column = $expr;
        if ($expr->kind === ExprKind::Call && \count($expr->args) === 1) {
            if (\in_array($expr->name, ['count', 'sum', 'avg'], true)) {
                return new SortKey($this->hide($this->text($expr)), SortKind::Number, '', $isDescending);
            }
            $column = \in_array($expr->name, ['min', 'max'], true) ? $expr->args[0] : $expr;
        }
        if ($column->kind !== ExprKind::Column) {
            throw Unsupported::because("ORDER BY, MIN or MAX of \"{$this->text($column)}\" over several shards, for its collation is not known", 'Use a column. ' . self::REMEDY);
        }
        $type = $this->columnOf($column);
        $text = $this->text($expr);
        [$sql, $kind] = match ($type->type) {
            'tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'year', 'decimal' => [$text, SortKind::Number],
            'float', 'double' => ["$text + 0e0", SortKind::Number],
            'bit', 'enum', 'set' => $expr === $column ? ["$text + 0", SortKind::Number] : throw Unsupported::because("\"$text\" over several shards, a $type->type", self::REMEDY),
            'time' => ["TIME_TO_SEC($text)", SortKind::Number],
            'date', 'datetime', 'timestamp', 'binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob' => [$text, SortKind::Bytes],
            'char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext' => ["WEIGHT_STRING($text)", SortKind::Weights],
            default => throw Unsupported::because("ORDER BY, GROUP BY, MIN or MAX of \"$text\" over several shards, for its type is $type->type", self::REMEDY),
        };
        if (\str_contains($type->collation, 'uca1400') || \preg_match('/_(as|ks)(_|$)/', $type->collation)) {
            throw Unsupported::because("\"$text\" over several shards, for its collation $type->collation has several levels", self::REMEDY);
        }
        return new SortKey($this->hide($sql, $isOwn), $kind, $kind === SortKind::Weights ? $this->schema->padding($type->collation) : '', $isDescending);
    }

    /** @param bool $isOwn whether it changes while rows are merged: then nothing else may use the same column */
    private function hide(string $sql, bool $isOwn = false): int
    {
        $at = $isOwn ? false : \array_search($sql, $this->hidden, true);
        if ($at !== false) {
            return $at;
        }
        $this->hidden[] = $sql;
        return \count($this->hidden) - 1;
    }

    /** @return list<Edit> */
    private function editsWithHidden(): array
    {
        $text = '';
        foreach ($this->hidden as $i => $sql) {
            $text .= ", $sql AS `_sluice_$i`";
        }
        return $text === '' ? $this->edits : [...$this->edits, new Edit($this->block->itemsEnd, $this->block->itemsEnd, $text)];
    }

    /** What an expression of ORDER BY or GROUP BY stands for: a position, an alias, or itself. */
    private function resolve(Expr $expr, bool $isOrder): Expr
    {
        if ($expr->kind === ExprKind::Literal && $expr->isNumber && \ctype_digit((string) $expr->value)) {
            $item = $this->block->items[(int) $expr->value - 1] ?? null;
            if ($item === null || $item->expr->kind === ExprKind::Star || $this->hasStar()) {
                throw Unsupported::because("position $expr->value in ORDER BY or GROUP BY", 'Write the name of the column.');
            }
            return $item->expr;
        }
        if ($expr->kind === ExprKind::Column && $expr->table === '') {
            $found = null;
            foreach ($this->block->items as $item) {
                if ($item->alias === $expr->name) {
                    $found = $item->expr;
                }
            }
            if ($found !== null && !$isOrder && !($found->kind === ExprKind::Column && $found->name === $expr->name)
                && ($found->kind === ExprKind::Column || !$this->isAggregate($found)) && $this->columnIfAny($expr) !== null) {
                throw Unsupported::because("GROUP BY $expr->name, which is an alias and a column", 'Give the alias another name.');
            }
            if ($found !== null) {
                return $found;
            }
        }
        return $expr;
    }

    private function hasStar(): bool
    {
        foreach ($this->block->items as $item) {
            if ($item->expr->kind === ExprKind::Star) {
                return true;
            }
        }
        return false;
    }

    private function columnOf(Expr $column): Column
    {
        return $this->columnIfAny($column) ?? throw Unsupported::because("the column \"{$this->text($column)}\" in a query over several shards, for it is not certain of which table it is", 'Qualify it by its table.');
    }

    private function columnIfAny(Expr $column): ?Column
    {
        $found = null;
        foreach ($this->plan->scope->tables ?? [] as $alias => [$ref]) {
            if ($column->table !== '' && $column->table !== $alias) {
                continue;
            }
            if ($ref->block !== null) {
                return null;
            }
            try {
                $one = $this->schema->column($ref->name, $column->name);
            } catch (ShardingException) {
                continue;
            }
            if ($found !== null) {
                return null;
            }
            $found = $one;
        }
        return $found;
    }

    /** Whether each group is on one shard, for its key has the sharding key. */
    private function isLocal(): bool
    {
        $names = [];
        foreach ($this->block->isDistinct ? \array_map(static fn(Item $item) => $item->expr, $this->block->items) : $this->block->group as $expr) {
            $key = $this->resolve($expr, false);
            if ($key->kind === ExprKind::Star && $key->table === '' && $this->block->isDistinct) {
                return true;
            }
            if ($this->isKey($key)) {
                return !$this->block->isDistinct || $this->block->group === [];
            }
            $names[] = $key;
        }
        return false;
    }

    private function isKey(Expr $expr): bool
    {
        $owner = $this->plan->scope?->owner($expr);
        return $owner !== null && !$owner[0]->isOuter && $owner[1]->schema->kind === TableKind::Sharded && $owner[1]->schema->primary()->columns === [$expr->name];
    }

    /** A table that is on every shard, to the left of an outer join, would give each of its rows once a shard. */
    private function requireShardedFirst(): void
    {
        foreach ($this->plan->tables as [$ref]) {
            if (!$ref->isOuter) {
                return;
            }
        }
        throw Unsupported::because('a LEFT JOIN of a reference table with a sharded one over several shards', self::REMEDY);
    }

    private function isAggregate(Expr $expr): bool
    {
        return $expr->kind === ExprKind::Call && \in_array($expr->name, self::AGGREGATES, true);
    }

    /** @param list<Expr> $keys */
    private function indexOf(Expr $expr, array $keys): ?int
    {
        foreach ($keys as $i => $key) {
            if ($this->isSame($expr, $key)) {
                return $i;
            }
        }
        return null;
    }

    private function isSame(Expr $a, Expr $b): bool
    {
        if ($a->kind === ExprKind::Column && $b->kind === ExprKind::Column) {
            return $a->name === $b->name && ($a->table === $b->table || \count($this->block->tables) === 1);
        }
        return $a === $b || \strtolower($this->text($a)) === \strtolower($this->text($b));
    }

    private function text(Expr $expr): string
    {
        return \substr($this->sql, $expr->start, $expr->end - $expr->start);
    }
}
