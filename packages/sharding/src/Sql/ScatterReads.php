<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\Connection\ShardLease;
use Sluice\Sharding\{Runtime, Shard, ShardingException, Target, Transaction};

/** Reads from several shards, and merges. */
final class ScatterReads
{
    private readonly Merge $merge;
    private readonly Rendered $rendered;
    private readonly ?int $limit;
    private readonly int $offset;
    private int $bytes = 0;

    /**
     * @param non-empty-list<Route> $routes
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    public function __construct(
        private readonly Plan $plan,
        private readonly array $routes,
        private readonly array $parameters,
        private readonly array $types,
        private readonly Target $target,
        private readonly bool $isBuffered,
        private readonly ?Transaction $transaction,
    ) {
        $this->merge = $plan->merge ??= MergePlanner::merge($plan, $plan->keyspace->schema);
        $block = $plan->statement->block;
        $this->limit = $block->limit === null ? null : self::number($block->limit, $parameters);
        $this->offset = $block->offset === null ? 0 : self::number($block->offset, $parameters);
        $rows = $this->limit === null ? null : ($this->limit > \PHP_INT_MAX - $this->offset ? \PHP_INT_MAX : $this->limit + $this->offset);
        $limit = $rows === null || !$this->merge->pushesLimit ? '' : " LIMIT $rows";
        $this->rendered = Rendered::of($plan->statement, [...$this->merge->edits, new Edit($block->limitStart, $block->limitEnd, $limit)]);
    }

    public function result(): Result
    {
        $onePerShard = \count(\array_unique(\array_map(static fn(Route $route) => $route->shard->name, $this->routes))) === \count($this->routes);
        return $this->isBuffered || !$onePerShard || $this->transaction !== null ? $this->buffered() : $this->streaming();
    }

    private function buffered(): Result
    {
        $directives = $this->plan->statement->directives;
        /** @var array<string, list<Route>> $byShard */
        $byShard = [];
        foreach ($this->routes as $route) {
            $byShard[$route->shard->name][] = $route;
        }
        $columns = null;
        $functions = [];
        foreach ($byShard as $name => $routes) {
            $functions[$name] = function () use ($routes, &$columns): array {
                $work = function (\PDO $db, Shard $shard) use ($routes, &$columns): array {
                    $streams = [];
                    foreach ($routes as $route) {
                        // Unbuffered, so that the bound of bytes is one before the rows are in memory.
                        $statement = $this->open($db, $route, false);
                        $columns ??= Cursors::columns($statement, $this->merge->hidden);
                        $streams[] = Cursors::all($statement, $this->bytes, $this->maxBytes());
                        $this->plan->keyspace->figures->merged($shard, \count($streams[\count($streams) - 1]));
                    }
                    Cursors::buffer($db, true);
                    return $streams;
                };
                $shard = $routes[0]->shard;
                return $this->transaction !== null ? $this->transaction->use($shard, $work) : $shard->ask($work, $this->target, null, true);
            };
        }
        $gathered = Runtime::gather($functions, $this->transaction === null ? 64 : 1, $directives->timeoutSeconds, $directives->errorsAsWarnings);
        if ($columns === null) {
            throw \array_values($gathered->errors)[0] ?? new ShardingException('No shard has answered.');
        }
        $streams = [];
        foreach ($gathered->results as $lists) {
            foreach ($lists as $list) {
                /** @var list<list<mixed>> $list */
                $streams[] = new \ArrayIterator($list);
            }
        }
        $rows = \iterator_to_array($this->merger(\count($columns))->rows($streams), false);
        return new Result($columns, new \ArrayIterator($rows), \count($rows), warnings: \array_map(static fn(\Exception $error) => $error->getMessage(), \array_values($gathered->errors)));
    }

    /** Rows come as they are fetched; the connections of all shards are taken at once, and kept until the last row or close(). */
    private function streaming(): Result
    {
        $leases = $this->plan->keyspace->connections->borrow(\array_map(static fn(Route $route) => $route->shard, $this->routes), $this->target);
        $close = static function () use (&$leases): void {
            foreach ($leases as $lease) {
                $lease->giveBack(isBroken: true);  // Rows that were not read would be read by the next borrower.
            }
            $leases = [];
        };
        try {
            $functions = \array_map(fn(ShardLease $lease, Route $route) => function () use ($lease, $route): \PDOStatement {
                try {
                    return $this->open($lease->pdo, $route, false);
                } catch (\PDOException $error) {
                    throw $lease->shard->explained($error);
                }
            }, $leases, $this->routes);
            $statements = Runtime::gather($functions, 64, $this->plan->statement->directives->timeoutSeconds, false)->results;
        } catch (\Throwable $error) {
            $close();
            throw $error;
        }
        $columns = Cursors::columns($statements[0], $this->merge->hidden);
        $streams = \array_map(static fn(\PDOStatement $statement) => Cursors::rows($statement), \array_values($statements));
        $rows = (function () use ($streams, $columns, &$leases): \Generator {
            yield from $this->merger(\count($columns))->rows($streams);
            if ($this->limit === null) {
                foreach ($leases as $lease) {
                    Cursors::buffer($lease->pdo, true);
                    $lease->giveBack(mayHaveMoved: false);
                }
            }
        })();
        return new Result($columns, $rows, 0, close: $close);
    }

    private function open(\PDO $db, Route $route, bool $isBuffered): \PDOStatement
    {
        $rendered = $this->rendered;
        $names = Rendered::names($this->plan, $route->suffix);
        if ($names !== []) {
            $block = $this->plan->statement->block;
            $limit = \preg_match('/ LIMIT \d+\z/', $rendered->sql, $found) ? $found[0] : '';
            $rendered = Rendered::of($this->plan->statement, [...$this->merge->edits, ...$names, new Edit($block->limitStart, $block->limitEnd, $limit)]);
        }
        return Cursors::execute($db, $rendered->sql, ...Rendered::values($rendered->parameters, $this->parameters, $this->types), isBuffered: $isBuffered);
    }

    private function merger(int $visible): Merger
    {
        return new Merger($this->merge, $visible, $this->limit, $this->offset, $this->maxBytes());
    }

    private function maxBytes(): int
    {
        return $this->plan->statement->directives->ignoreMemory ? \PHP_INT_MAX : $this->plan->keyspace->options->mergeBytes;
    }

    /** @param array<int|string, mixed> $parameters */
    private static function number(Expr $expr, array $parameters): int
    {
        $value = Router::value($expr, $parameters);
        if (!\is_int($value) && !(\is_string($value) && \ctype_digit($value)) || (int) $value < 0) {
            throw new ShardingException('LIMIT and OFFSET must be whole numbers from 0, ' . \var_export($value, true) . ' given.');
        }
        return \strlen((string) $value) > 18 ? \PHP_INT_MAX : (int) $value;
    }
}
