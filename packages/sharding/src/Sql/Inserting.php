<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Integer64, KeyException, Table};
use Sluice\Sharding\Vindex\{LegacySplit, Lookup};

/** The rows of an INSERT, each with its place. */
final class Inserting
{
    /** @var array<string, array{route: Route, rows: list<int>}> by place */
    public array $places = [];
    /** @var list<Edit> for all places: numbers of a sequence */
    public array $edits = [];
    /** @var list<array{Lookup, mixed, string}> entries of lookup vindexes that the table owns */
    public array $lookups = [];
    public ?int $firstNumber = null;

    /**
     * @param array<int|string, mixed> $parameters
     * @throws KeyException when a value cannot be a key
     */
    public function __construct(private readonly Plan $plan, private readonly Table $table, array $parameters)
    {
        $statement = $plan->statement;
        $increment = $table->schema->autoIncrement['column'] ?? null;
        $sequence = null;
        if ($increment !== null && $table->schema->autoIncrement !== null) {
            [$keyspace, $name] = $plan->keyspace->resolve($table->schema->autoIncrement['sequence']);
            $sequence = $keyspace->sequence($name);
        }
        $keys = $increment === null ? [] : [$increment => true];
        foreach ($table->schema->vindexes as $vindex) {
            $keys += \array_fill_keys($vindex->columns, true);
        }
        $at = \array_flip($statement->columns);
        if ($increment !== null && !isset($at[$increment])) {
            $this->edits[] = new Edit($statement->columnsEnd, $statement->columnsEnd, ', ' . \Sluice\Sharding\Identifier::quote($increment));
        }
        foreach ($statement->rows as $i => $row) {
            $values = [];
            foreach ($row as $j => $expr) {
                $column = $statement->columns[$j];
                $isKey = isset($keys[$column]);
                $values[$column] = !$isKey || !$expr->isValue() ? null : Router::key($expr, $parameters, $table, $column);
            }
            $given = $increment === null ? null : $values[$increment] ?? null;
            if ($increment !== null && $sequence !== null && ($given === null || \in_array($given instanceof Integer64 ? $given->text : $given, [0, '0'], true))) {
                $values[$increment] = $number = $sequence->next();
                $this->firstNumber ??= $number;
                $span = isset($at[$increment]) ? [$row[$at[$increment]]->start, $row[$at[$increment]]->end] : [$statement->rowSpans[$i][1] - 1, $statement->rowSpans[$i][1] - 1];
                $this->edits[] = new Edit($span[0], $span[1], isset($at[$increment]) ? (string) $number : ", $number");
            }
            $this->place($i, $values);
        }
        \ksort($this->places, \SORT_STRING);
    }

    /** @param array<string, mixed> $values */
    private function place(int $row, array $values): void
    {
        $schema = $this->table->schema;
        $key = [];
        foreach ($schema->primary()->columns as $column) {
            $key[] = $values[$column] ?? null;
        }
        $id = $this->table->keyspaceId(...$key);
        $shard = $this->plan->keyspace->shardOf($id);
        $vindex = $schema->primary()->vindex;
        $suffix = $vindex instanceof LegacySplit ? $vindex->suffix($id) : '';
        $place = $shard->range->start . "\0$suffix";
        $this->places[$place] ??= ['route' => new Route($shard, $suffix), 'rows' => []];
        $this->places[$place]['rows'][] = $row;
        foreach ($schema->vindexes as $other) {
            if ($other->isOwned && $other->vindex instanceof Lookup && ($values[$other->columns[0]] ?? null) !== null) {
                $this->lookups[] = [$other->vindex, $schema->key($other->columns[0], $values[$other->columns[0]]), $id];
            }
        }
    }

    /**
     * What is different in the statement for the rows of one place.
     *
     * @param list<int> $rows
     * @return list<Edit>
     */
    public function editsFor(array $rows): array
    {
        $spans = $this->plan->statement->rowSpans;
        $last = $rows[\count($rows) - 1];
        $removed = [];
        foreach ($spans as $i => [$start]) {
            if ($i < $last && !\in_array($i, $rows, true)) {
                $removed[] = new Edit($start, $spans[$i + 1][0], '');
            }
        }
        if ($last < \count($spans) - 1) {
            $removed[] = new Edit($spans[$last][1], $spans[\count($spans) - 1][1], '');
        }
        $kept = \array_filter($this->edits, static function (Edit $edit) use ($removed): bool {
            foreach ($removed as $gone) {
                if ($edit->start >= $gone->start && $edit->start < $gone->end) {
                    return false;
                }
            }
            return true;
        });
        return [...$removed, ...\array_values($kept)];
    }
}
