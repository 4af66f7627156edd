<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{Identifier, Runtime, SessionState, Shard, Target};

/** Statements on one shard: in the session's transaction, or on a connection that is borrowed for them. @internal */
final readonly class OneShard
{
    public function __construct(private SessionState $state) {}

    /**
     * A statement on one shard.
     *
     * @param list<Edit> $edits
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    public function run(Plan $plan, Route $route, array $edits, array $parameters, array $types): Result
    {
        $rendered = $edits === [] ? Rendered::plain($plan, $route->suffix) : Rendered::of($plan->statement, [...$edits, ...Rendered::names($plan, $route->suffix)]);
        $isRead = $plan->statement->isRead() || $plan->statement->kind === StatementKind::Show;
        $work = fn(\PDO $db): Result => $this->finish($db, $rendered->sql, ...Rendered::values($rendered->parameters, $parameters, $types));
        $seconds = $plan->statement->directives->timeoutSeconds;
        $until = $seconds === null ? null : \microtime(true) + $seconds;
        if ($this->state->transaction !== null && ($plan->kind !== PlanKind::AnyShard || !$isRead || $this->state->transaction->shards() !== [])) {
            $shard = $plan->kind === PlanKind::AnyShard && $isRead ? $this->state->transaction->shards()[0] : $route->shard;
            $transaction = $this->state->transaction;
            return Runtime::within($until, static fn() => $transaction->use($shard, $work));
        }
        $target = $isRead ? $this->state->target : Target::Primary;
        $after = $target === Target::Replica && $this->state->readsItsWrites ? $this->state->positions[$route->shard->name] ?? null : null;
        return Runtime::within($until, fn() => $route->shard->use(function (\PDO $db) use ($work, $isRead, $route): Result {
            $result = $work($db);
            if (!$isRead && $this->state->readsItsWrites && $route->shard->topology->replicas() !== []) {
                $this->state->positions[$route->shard->name] = Shard::position($db);
            }
            return $result;
        }, $target, $after, $isRead));
    }

    /**
     * @param list<mixed> $values
     * @param array<int, int> $types
     */
    private function finish(\PDO $db, string $sql, array $values, array $types): Result
    {
        $statement = Cursors::execute($db, $sql, $values, $types);
        if ($statement->columnCount() === 0) {
            $id = $db->lastInsertId();
            if (\is_string($id) && $id !== '0') {
                $this->state->lastInsertId = $id;
            }
            return Result::changed($statement->rowCount(), $this->state->lastInsertId);
        }
        $columns = Cursors::columns($statement);
        $rows = \array_values($statement->fetchAll(\PDO::FETCH_NUM));
        /** @var list<list<mixed>> $rows */
        return new Result($columns, new \ArrayIterator($rows), \count($rows));
    }

    /**
     * A statement as it is.
     *
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    public function pass(Shard $shard, string $sql, array $parameters, array $types): Result
    {
        $work = function (\PDO $db) use ($sql, $parameters, $types): Result {
            if ($this->state->passedTarget !== '') {
                $db->exec('USE ' . Identifier::quote($this->state->passedTarget));
            }
            $statement = $db->prepare($sql);
            foreach ($parameters as $key => $value) {
                $statement->bindValue(\is_int($key) ? $key + 1 : ":$key", $value, $types[$key] ?? \PDO::PARAM_STR);
            }
            $statement->execute();
            /** @var list<list<mixed>> $rows */
            $rows = $statement->columnCount() === 0 ? [] : \array_values($statement->fetchAll(\PDO::FETCH_NUM));
            $this->state->lastInsertId = $db->lastInsertId() ?: $this->state->lastInsertId;
            return $statement->columnCount() === 0 ? Result::changed($statement->rowCount(), $this->state->lastInsertId) : new Result(Cursors::columns($statement), new \ArrayIterator($rows), \count($rows));
        };
        return $this->state->transaction !== null ? $this->state->transaction->use($shard, $work) : $shard->use($work, $this->state->target);
    }
}
