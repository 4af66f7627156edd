<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Keyspace, Table, TableKind};
use Sluice\Sharding\Vindex\LegacySplit;

/** From a statement's text to a plan. What cannot be proved is refused here, before a shard is asked. */
final class Planner
{
    /** @var array<string, Plan> the least recently used first */
    private array $plans = [];
    private int $generation = 0;

    public function __construct(private readonly Keyspace $keyspace) {}

    /** @throws Unsupported */
    public function plan(string $sql): Plan
    {
        if ($this->generation !== $this->keyspace->generation) {
            [$this->generation, $this->plans] = [$this->keyspace->generation, []];
        }
        if (isset($this->plans[$sql])) {
            return $this->plans[$sql];
        }
        $plan = $this->make(StatementParser::parse($sql));
        if ($this->keyspace->options->plans > 0) {
            if (\count($this->plans) >= $this->keyspace->options->plans) {
                // The older half goes: no bookkeeping for each use.
                $this->plans = \array_slice($this->plans, \intdiv(\count($this->plans), 2), null, true);
            }
            $this->plans[$sql] = $plan;
        }
        return $plan;
    }

    private function make(ParsedStatement $statement): Plan
    {
        return match ($statement->kind) {
            StatementKind::Select => $this->select($statement),
            StatementKind::Insert, StatementKind::Replace => $this->insert($statement),
            StatementKind::Update, StatementKind::Delete => $this->change($statement),
            StatementKind::Ddl => $this->ddl($statement),
            StatementKind::Show => new Plan(PlanKind::AnyShard, $statement, $this->keyspace),
            default => new Plan(PlanKind::Control, $statement, $this->keyspace),
        };
    }

    private function ddl(ParsedStatement $statement): Plan
    {
        $what = "\"{$this->firstWords($statement)}\" through a connection to all shards";
        if (!$this->keyspace->options->allowDdl) {
            throw Unsupported::because($what, 'Run it by: sluice shard migrate. For migrations of an ORM give the keyspace Options(allowDdl: true).');
        }
        if ($statement->parameters !== [] || !\preg_match('/\A\w+ (OR REPLACE )?((UNIQUE|FULLTEXT|SPATIAL) )?(TABLE|INDEX|VIEW)\b/i', (string) \preg_replace('/\s+/', ' ', \trim($statement->sql)))) {
            throw Unsupported::because($what, 'Allowed are tables, indexes and views, without parameters. Send anything else to each shard by Keyspace::table().');
        }
        foreach ($this->keyspace->vschema->tables as $table) {
            $primary = $table->vindexes[0] ?? null;
            if ($primary?->vindex instanceof LegacySplit && $primary->vindex->tables > 1 && \preg_match("/\\b$table->name\\b/i", $statement->sql)) {
                throw Unsupported::because("$what, for the table $table->name has a number for each part (legacy_split)", 'Name each of its tables in a file for: sluice shard migrate.');
            }
        }
        return new Plan(PlanKind::Ddl, $statement, $this->keyspace);
    }

    private function select(ParsedStatement $statement): Plan
    {
        [$keyspace, $locator] = $this->locate($statement);
        $kind = match (true) {
            $locator->freeGroups > 0 => PlanKind::Scatter,
            $locator->constraints !== [] => PlanKind::ByKey,
            default => PlanKind::AnyShard,
        };
        if ($kind === PlanKind::Scatter && !$this->keyspace->options->allowScatter && !$statement->directives->allowScatter) {
            throw $this->withoutKey($locator);
        }
        return new Plan($kind, $statement, $keyspace, $locator->constraints, $locator->tables, $locator->scope, $locator->needsOne);
    }

    private function change(ParsedStatement $statement): Plan
    {
        [$keyspace, $locator] = $this->locate($statement);
        $ref = $statement->block->tables[0];
        if ($ref->block !== null) {
            throw Unsupported::because('a change of a derived table', 'Name the table itself.');
        }
        $table = $keyspace->table($ref->name);
        if ($table->schema->kind === TableKind::Reference && $keyspace->isSharded()) {
            if ($locator->tables !== []) {
                throw Unsupported::because("a change of the reference table $ref->name by sharded tables", 'Read the keys first.');
            }
            return new Plan(PlanKind::WriteEverywhere, $statement, $keyspace, target: $table);
        }
        $this->requireUnchangedKey($statement, $table);
        if ($locator->freeGroups > 0 && !$this->keyspace->options->allowScatter && !$statement->directives->allowScatter) {
            throw $this->withoutKey($locator);
        }
        foreach ($table->schema->vindexes as $vindex) {
            if ($vindex->isOwned && $statement->kind === StatementKind::Delete && $locator->freeGroups > 0) {
                throw Unsupported::because("DELETE FROM $ref->name without its sharding key, for the table owns the lookup vindex $vindex->name", 'Delete by key.');
            }
        }
        $kind = $locator->freeGroups > 0 ? PlanKind::Scatter : ($locator->constraints !== [] ? PlanKind::ByKey : PlanKind::AnyShard);
        return new Plan($kind, $statement, $keyspace, $locator->constraints, $locator->tables, $locator->scope, $locator->needsOne, $table);
    }

    private function insert(ParsedStatement $statement): Plan
    {
        $ref = $statement->block->tables[0];
        [$keyspace, $table] = $this->resolve($ref);
        if ($statement->block->blocks !== []) {
            throw Unsupported::because("a sub-query in INSERT INTO $ref->name", 'Read its value first.');
        }
        if (!$keyspace->isSharded() || $table->schema->kind !== TableKind::Sharded) {
            $kind = $keyspace->isSharded() ? PlanKind::WriteEverywhere : PlanKind::AnyShard;
            return new Plan($kind, $statement, $keyspace, target: $table);
        }
        $columns = $statement->columns !== [] ? $statement->columns : $table->schema->columns;
        if ($columns === null) {
            throw new Unsupported('VT09004', "INSERT INTO $ref->name has no list of columns", 'Write the columns, or give the VSchema all of them with "column_list_authoritative": true.');
        }
        if ($statement->columns === []) {
            $statement->columns = $columns;
        }
        foreach ($statement->rows as $row) {
            if (\count($row) !== \count($columns)) {
                throw new Unsupported('VT03006', "INSERT INTO $ref->name has a row of " . \count($row) . ' values for ' . \count($columns) . ' columns', 'Give each column a value.');
            }
        }
        $increment = $table->schema->autoIncrement['column'] ?? '';
        foreach ($table->schema->primary()->columns as $column) {
            if (!\in_array($column, $columns, true) && $column !== $increment) {
                throw new Unsupported('VT09003', "INSERT query does not have primary vindex column '$column' in the column list (table $ref->name)", 'Give the row its key.');
            }
        }
        foreach ($table->schema->vindexes as $vindex) {
            foreach ($vindex->columns as $column) {
                $at = \array_search($column, $columns, true);
                foreach ($at === false ? [] : $statement->rows as $row) {
                    if (!$row[(int) $at]->isValue() && !($row[(int) $at]->name === 'DEFAULT' && $column === $increment)) {
                        throw Unsupported::because("an expression as the value of the vindex column $ref->name.$column", 'Give it a literal or a parameter.');
                    }
                }
            }
        }
        $this->requireUnchangedKey($statement, $table);
        return new Plan(PlanKind::InsertRows, $statement, $keyspace, tables: [[$ref, $table]], target: $table);
    }

    private function requireUnchangedKey(ParsedStatement $statement, Table $table): void
    {
        foreach ($statement->assignments as [$column]) {
            foreach ($table->schema->vindexes as $vindex) {
                if (\in_array($column, $vindex->columns, true)) {
                    throw Unsupported::because("an update of {$table->schema->name}.$column, which the vindex $vindex->name is on", 'Insert the row with its new key, and delete the old one.');
                }
            }
        }
        if ($statement->kind === StatementKind::Replace && \array_filter($table->schema->vindexes, static fn($vindex) => $vindex->isOwned) !== []) {
            throw Unsupported::because("REPLACE INTO {$table->schema->name}, which owns a lookup vindex", 'Delete and insert the row.');
        }
    }

    /** @return array{Keyspace, Locator} */
    private function locate(ParsedStatement $statement): array
    {
        $keyspace = $this->keyspaceOf($statement);
        $locator = new Locator($keyspace);
        $locator->locate($statement->block);
        $locator->requireTogether();
        return [$keyspace, $locator];
    }

    private function keyspaceOf(ParsedStatement $statement): Keyspace
    {
        $keyspace = null;
        foreach ($statement->tableRefs() as $ref) {
            if (\in_array($ref->keyspace, ['information_schema', 'mysql', 'performance_schema', 'sys'], true)) {
                continue;
            }
            [$of] = $this->resolve($ref);
            if ($keyspace !== null && $of !== $keyspace) {
                throw Unsupported::because("a statement with tables of the keyspaces $keyspace->name and $of->name", 'Ask one keyspace after the other.');
            }
            $keyspace = $of;
        }
        return $keyspace ?? $this->keyspace;
    }

    /** @return array{Keyspace, Table} */
    private function resolve(TableRef $ref): array
    {
        foreach ($this->keyspace->reachable() as $keyspace) {
            if (($ref->keyspace === '' || $ref->keyspace === \strtolower($keyspace->name)) && isset($keyspace->vschema->tables[$ref->name])) {
                return [$keyspace, $keyspace->table($ref->name)];
            }
        }
        throw new Unsupported('VT05005', 'table ' . ($ref->keyspace === '' ? '' : "$ref->keyspace.") . "$ref->name is not in the keyspace {$this->keyspace->name}",
            'Add it to the VSchema: with column_vindexes, or as a reference table.');
    }

    private function withoutKey(Locator $locator): Unsupported
    {
        $keys = [];
        foreach ($locator->free as [$ref, $table]) {
            $keys[] = "$ref->name." . \implode(' and ', $table->schema->primary()->columns);
        }
        return Unsupported::because('a query without the sharding key ' . \implode(', ', \array_unique($keys)),
            'Compare the key with values by = or IN, connected by AND; or ask all shards by the directive /*vt+ ALLOW_SCATTER=1 */.');
    }

    private function firstWords(ParsedStatement $statement): string
    {
        return \implode(' ', \array_slice(\preg_split('/\s+/', \trim($statement->sql)) ?: [], 0, 3));
    }
}
