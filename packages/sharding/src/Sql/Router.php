<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Integer64, Keyspace, RefusedException, Shard, Table};
use Sluice\Sharding\Vindex\{Destination, Functional, LegacySplit, Ordered};

/** From a plan and its parameters to shards. */
final class Router
{
    /**
     * @param array<int|string, mixed> $parameters by number or name
     * @return list<Route> in the order of the shards
     * @throws Unsupported when keys are on different shards that must be on one
     * @throws RefusedException when a value cannot be a key, or is missing
     */
    public static function routes(Plan $plan, array $parameters): array
    {
        if ($plan->kind === PlanKind::Scatter) {
            return self::all($plan);
        }
        if ($plan->kind !== PlanKind::ByKey) {
            return \array_map(static fn(Shard $shard) => new Route($shard), $plan->kind === PlanKind::WriteEverywhere ? $plan->keyspace->shards() : [$plan->keyspace->shards()[0]]);
        }
        $first = $plan->constraints[0] ?? null;
        if ($first !== null && \count($plan->constraints) === 1 && \count($first->keys) === 1 && \count($first->keys[0]) === 1 && self::isPlain($first)) {
            // One key of a table without numbers behind its name, as nearly all statements have it.
            $value = self::key($first->keys[0][0], $parameters, $first->table, $first->vindex->columns[0]);
            return [$value === null ? self::first($plan) : new Route($first->table->shard($value))];
        }
        $routes = null;
        foreach ($plan->constraints as $constraint) {
            $found = self::ofConstraint($plan, $constraint, $parameters);
            if ($routes !== null && ($found !== [] && $routes !== []) && (\array_keys($routes) !== \array_keys($found) || \count($found) > 1)) {
                throw Unsupported::because('a statement whose keys are on different shards (' . self::names($routes) . ' and ' . self::names($found) . ')', 'Ask one after the other.');
            }
            $routes = $routes === null || $routes === [] ? $found : $routes;
        }
        $routes ??= [];
        // Nothing can match: any shard gives the empty result, with its columns.
        $routes = $routes === [] ? [self::first($plan)] : \array_values($routes);
        if ($plan->needsOne && \count($routes) > 1) {
            throw Unsupported::because('sub-queries or UNIONs over several shards', 'Give it one key.');
        }
        return $routes;
    }

    private static function isPlain(Constraint $constraint): bool
    {
        return $constraint->vindex === $constraint->table->schema->vindexes[0] && $constraint->vindex->vindex instanceof Functional && !$constraint->vindex->vindex instanceof LegacySplit;
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @return array<string, Route>
     */
    private static function ofConstraint(Plan $plan, Constraint $constraint, array $parameters): array
    {
        if ($constraint->isRange()) {
            return self::ofRange($plan, $constraint, $parameters);
        }
        $routes = [];
        foreach ($constraint->keys as $key) {
            $values = [];
            foreach ($key as $i => $expr) {
                $values[] = self::key($expr, $parameters, $constraint->table, $constraint->vindex->columns[$i]);
            }
            if (\in_array(null, $values, true)) {
                continue;  // No row is equal to NULL.
            }
            $destination = $constraint->table->destination($values, $constraint->vindex);
            foreach (self::ofDestination($plan->keyspace, $destination) as $name => $shard) {
                foreach ($destination->range === null ? self::suffixes($constraint->table, $destination, $shard) : [''] as $suffix) {
                    $routes[$shard->range->start . "\0$suffix"] = new Route($shard, $suffix);
                }
            }
        }
        \ksort($routes, \SORT_STRING);
        return $routes;
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @return array<string, Route>
     * @throws Unsupported when the range is on all shards, and a scatter is not allowed
     */
    private static function ofRange(Plan $plan, Constraint $constraint, array $parameters): array
    {
        \assert($constraint->vindex->vindex instanceof Ordered);
        $routes = [];
        foreach ($plan->keyspace->shards() as $shard) {
            $routes[$shard->range->start . "\0"] = new Route($shard);
        }
        $all = \count($routes);
        foreach ([[$constraint->low, true], [$constraint->high, false]] as [$bounds, $isLow]) {
            foreach ($bounds as $bound) {
                $value = self::key($bound, $parameters, $constraint->table, $constraint->vindex->columns[0]);
                if ($value === null) {
                    return [];  // Nothing is above or below NULL.
                }
                $value = $constraint->table->schema->key($constraint->vindex->columns[0], $value instanceof Integer64 ? $value->text : $value);
                $range = $constraint->vindex->vindex->between($isLow ? $value : null, $isLow ? null : $value);
                $routes = $range === null ? [] : \array_filter($routes, static fn(Route $route) => $route->shard->range->intersects($range));
            }
        }
        if ($all > 1 && \count($routes) === $all && !$plan->keyspace->options->allowScatter && !$plan->statement->directives->allowScatter) {
            throw Unsupported::because("a range of {$constraint->table->schema->name}.{$constraint->vindex->columns[0]} that is on all shards", 'Make it smaller, or ask all shards by the directive /*vt+ ALLOW_SCATTER=1 */.');
        }
        return $routes;
    }

    /** @return array<string, Shard> */
    private static function ofDestination(Keyspace $keyspace, Destination $destination): array
    {
        $shards = [];
        foreach ($destination->keyspaceIds as $id) {
            $shard = $keyspace->shardOf($id);
            $shards[$shard->name] = $shard;
        }
        foreach ($destination->range === null ? [] : $keyspace->shards() as $shard) {
            if ($destination->range?->intersects($shard->range) === true) {
                $shards[$shard->name] = $shard;
            }
        }
        return $shards;
    }

    /** @return list<string> */
    private static function suffixes(Table $table, Destination $destination, Shard $shard): array
    {
        $vindex = $table->schema->primary()->vindex;
        if (!$vindex instanceof LegacySplit) {
            return [''];
        }
        $suffixes = [];
        foreach ($destination->keyspaceIds as $id) {
            if ($shard->range->contains($id)) {
                $suffixes[] = $vindex->suffix($id);
            }
        }
        return $suffixes;
    }

    /** @return list<Route> */
    private static function all(Plan $plan): array
    {
        $routes = [];
        $vindex = ($plan->tables[0][1] ?? null)?->schema->primary()->vindex;
        foreach ($plan->keyspace->shards() as $shard) {
            foreach ($vindex instanceof LegacySplit ? $vindex->suffixes() : [''] as $suffix) {
                $routes[] = new Route($shard, $suffix);
            }
        }
        return $routes;
    }

    private static function first(Plan $plan): Route
    {
        $vindex = ($plan->tables[0][1] ?? null)?->schema->primary()->vindex;
        return new Route($plan->keyspace->shards()[0], $vindex instanceof LegacySplit ? $vindex->suffixes()[0] : '');
    }

    /**
     * A value as a key. A number in the statement's text is no string: a column of texts would be compared with it as numbers.
     *
     * @param array<int|string, mixed> $parameters
     * @throws RefusedException when it is not bound, or no key
     */
    public static function key(Expr $expr, array $parameters, Table $table, string $column): mixed
    {
        try {
            $value = self::value($expr, $parameters);
            return $expr->kind === ExprKind::Literal && $expr->isNumber ? Integer64::of($value) : $value;
        } catch (RefusedException $error) {
            throw $error->about($table->schema->name, [$column]);
        }
    }

    /** @param array<int|string, mixed> $parameters */
    public static function value(Expr $expr, array $parameters): mixed
    {
        if ($expr->kind !== ExprKind::Parameter) {
            return $expr->value;
        }
        \assert($expr->value !== null);
        if (!\array_key_exists($expr->value, $parameters)) {
            throw new RefusedException('VT03026', 'The parameter ' . (\is_int($expr->value) ? 'number ' . ($expr->value + 1) : ":$expr->value") . ' is not bound. Give it a value by execute() or bindValue().');
        }
        return $parameters[$expr->value];
    }

    /** @param array<string, Route> $routes */
    private static function names(array $routes): string
    {
        return \implode(', ', \array_unique(\array_map(static fn(Route $route) => $route->shard->name . $route->suffix, \array_values($routes))));
    }
}
