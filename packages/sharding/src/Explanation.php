<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Sql\{MergePlanner, Plan, PlanKind, Planner, Route, Router};

/** Where a statement would go, without its being sent. */
final class Explanation
{
    /**
     * @param list<string> $parameters
     * @return list<string> lines
     * @throws ShardingException when it is refused; the message says why
     */
    public static function of(Keyspace $keyspace, string $sql, array $parameters = []): array
    {
        $plan = (new Planner($keyspace))->plan($sql);
        $lines = ["route: {$plan->describe()}"];
        $isKnown = \count($parameters) >= \count($plan->statement->parameters);
        if ($isKnown && $plan->kind !== PlanKind::Control && $plan->kind !== PlanKind::InsertRows) {
            $routes = Router::routes($plan, $parameters);
            $lines[] = 'shards: ' . \implode(', ', \array_map(static fn(Route $route) => $route->shard->name . ($route->suffix === '' ? '' : " (tables …$route->suffix)"), $routes));
        }
        return [...$lines, ...self::merge($keyspace, $plan)];
    }

    /** @return list<string> */
    private static function merge(Keyspace $keyspace, Plan $plan): array
    {
        if ($plan->kind !== PlanKind::Scatter || !$plan->statement->isRead()) {
            return [];
        }
        $merge = MergePlanner::merge($plan, $keyspace->schema);
        $how = $merge->isGrouped ? 'groups' : ($merge->stream === [] ? 'one shard after the other' : 'sorted rows');
        return ["merge: $how" . ($merge->final === [] ? ', streaming' : ', sorted in memory') . ($merge->pushesLimit && $plan->statement->block->limit !== null ? ', LIMIT on each shard' : '')];
    }
}
