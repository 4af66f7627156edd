<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Keyspace, Table};

/** How a statement is executed, whatever its parameters are. */
final class Plan
{
    /** How to merge; null when the plan is for one shard, or nobody has needed it yet. */
    public ?Merge $merge = null;
    /** The statement for a shard whose tables have their own names; null until it was needed. */
    public ?Rendered $plain = null;

    /**
     * @param list<Constraint> $constraints
     * @param list<array{TableRef, Table}> $tables the sharded ones
     */
    public function __construct(
        public readonly PlanKind $kind,
        public readonly ParsedStatement $statement,
        public readonly Keyspace $keyspace,
        public readonly array $constraints = [],
        public readonly array $tables = [],
        public readonly ?Scope $scope = null,
        public readonly bool $needsOne = false,
        public readonly ?Table $target = null,
    ) {}

    public function describe(): string
    {
        return match ($this->kind) {
            PlanKind::AnyShard => 'any shard',
            PlanKind::ByKey => 'by key ' . \implode(' and ', \array_map(
                static fn(Constraint $one) => ($one->isRange() ? 'range ' : '') . "{$one->table->schema->name}." . \implode('+', $one->vindex->columns) . " ({$one->vindex->name})",
                $this->constraints,
            )),
            PlanKind::Scatter => 'all shards, merged',
            PlanKind::InsertRows => "each row by its key {$this->target?->schema->name}." . \implode('+', $this->target?->schema->primary()->columns ?? []),
            PlanKind::WriteEverywhere => 'all shards alike (reference table)',
            PlanKind::Ddl => 'all shards, one after the other, by the ledger of migrations',
            PlanKind::Control => 'the connection itself',
        };
    }
}
