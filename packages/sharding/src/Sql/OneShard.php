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
        [$values, $valueTypes] = Rendered::values($rendered->parameters, $parameters, $types);
        $sql = $rendered->sql;
        $seconds = $plan->statement->directives->timeoutSeconds;
        if ($this->state->transaction !== null && ($plan->kind !== PlanKind::AnyShard || !$isRead || $this->state->transaction->shards() !== [])) {
            $shard = $plan->kind === PlanKind::AnyShard && $isRead ? $this->state->transaction->shards()[0] : $route->shard;
            $transaction = $this->state->transaction;
            $ask = fn(): Result => $transaction->use($shard, fn(\PDO $db): Result => $this->finish($db, $sql, $values, $valueTypes));
        } else {
            $ask = fn(): Result => $this->onBorrowed($route->shard, $isRead, $rendered, $values, $valueTypes);
        }
        return $seconds === null ? $ask() : Runtime::within(\microtime(true) + $seconds, $ask);
    }

    /**
     * @param list<mixed> $values
     * @param array<int, int> $types
     */
    private function onBorrowed(Shard $shard, bool $isRead, Rendered $rendered, array $values, array $types): Result
    {
        $target = $isRead ? $this->state->target : Target::Primary;
        $after = $target === Target::Replica && $this->state->readsItsWrites ? $this->state->positions[$shard->name] ?? null : null;
        $notes = !$isRead && $this->state->readsItsWrites && $shard->topology->replicas() !== [];
        return $shard->ask(function (\PDO $db, Shard $shard, string $elsewhere) use ($notes, $rendered, $values, $types): Result {
            // To name the database in the statement is cheaper than to change the connection's.
            $result = $this->finish($db, $elsewhere === '' ? $rendered->sql : $rendered->in($elsewhere) ?? $rendered->sql, $values, $types);
            if ($notes) {
                $this->state->positions[$shard->name] = Shard::position($db);
            }
            return $result;
        }, $target, $after, $isRead, $rendered->namesDatabases());
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
        /** @var list<list<mixed>> $rows */
        $rows = $statement->fetchAll(\PDO::FETCH_NUM);
        return new Result(Cursors::described($db, $statement), new \ArrayIterator($rows), \count($rows));
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
            return $statement->columnCount() === 0 ? Result::changed($statement->rowCount(), $this->state->lastInsertId) : new Result(Cursors::described($db, $statement), new \ArrayIterator($rows), \count($rows));
        };
        return $this->state->transaction !== null ? $this->state->transaction->use($shard, $work) : $shard->use($work, $this->state->target);
    }
}
