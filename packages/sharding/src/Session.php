<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Sql\{OneShard, Plan, PlanKind, Planner, Result, Router, ScatterReads, StatementKind, Unsupported, Writes};

/** What one Sharding\PDO does: statements to shards, with its transaction and its target. @internal */
final class Session
{
    private readonly SessionState $state;
    private readonly OneShard $shard;
    private readonly Writes $writes;
    private ?Shard $pinned = null;

    public function __construct(Keyspace $keyspace, private readonly Planner $planner, bool $readsItsWrites = true)
    {
        $this->state = new SessionState($keyspace, $readsItsWrites);
        $this->shard = new OneShard($this->state);
        $this->writes = new Writes($this->state, $this->shard);
    }

    public function transaction(): ?Transaction
    {
        return $this->state->transaction;
    }

    public function lastInsertId(): string
    {
        return $this->state->lastInsertId;
    }

    public function setBuffered(bool $isBuffered): void
    {
        $this->state->isBuffered = $isBuffered;
    }

    public function begin(TransactionMode $mode): void
    {
        if ($this->state->transaction !== null) {
            throw new TransactionException('There is already an active transaction.');
        }
        $this->state->transaction = Transaction::of($this->state->keyspace, $mode);
    }

    public function commit(): void
    {
        $this->ended()->commit();
    }

    public function rollBack(): void
    {
        $this->ended()->rollBack();
    }

    private function ended(): Transaction
    {
        $transaction = $this->state->transaction ?? throw new TransactionException('There is no active transaction.');
        $this->state->transaction = null;
        return $transaction;
    }

    /**
     * @param array<int|string, mixed> $parameters by number from 0, or by name without the colon
     * @param array<int|string, int> $types of PDO
     */
    public function execute(string $sql, array $parameters = [], array $types = []): Result
    {
        $options = $this->state->keyspace->options;
        $began = \hrtime(true);
        try {
            $pinned = $options->passThrough ? $this->state->keyspace->onlyShard() : $this->pinned;
            if ($pinned !== null && \preg_match('/\A\s*(USE|BEGIN|START|COMMIT|ROLLBACK)\b/i', $sql) !== 1) {
                return $this->shard->pass($pinned, $sql, $parameters, $types);
            }
            [$plan, $result] = $this->routed($sql, $parameters, $types);
        } catch (RefusedException $error) {
            $error->at(CallSite::outside());
            $this->state->keyspace->figures->refused($error->callSite);
            $this->log("refused: {$error->getMessage()}");
            throw $error;
        }
        $seconds = (\hrtime(true) - $began) / 1e9;
        if ($seconds >= $options->slowSeconds) {
            $this->log(\sprintf('slow query, %.3f s, route: %s: %s', $seconds, $plan->describe(), $sql));
        }
        return $result;
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     * @return array{Plan, Result}
     */
    private function routed(string $sql, array $parameters, array $types): array
    {
        while (true) {
            try {
                $plan = $this->planner->plan($sql);
                return [$plan, $this->run($plan, $parameters, $types)];
            } catch (ShardMovedException $moved) {
                // The map of shards has changed, perhaps the VSchema, too; the statement was executed nowhere.
                if (!$moved->isRepeatable) {
                    throw $moved;
                }
            }
        }
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function run(Plan $plan, array $parameters, array $types): Result
    {
        if ($plan->kind === PlanKind::Control) {
            return $this->control($plan);
        }
        if ($plan->kind === PlanKind::Ddl) {
            $this->state->transaction === null ?: $this->commit();  // As the server does.
            (new Migrations($plan->keyspace))->everywhere($plan->statement->sql);
            return Result::changed(0);
        }
        if ($plan->statement->kind === StatementKind::Select || $plan->statement->kind === StatementKind::Show) {
            $routes = Router::routes($plan, $parameters);
            if (\count($routes) > 1) {
                return (new ScatterReads($plan, $routes, $parameters, $types, $this->state->target, $this->state->isBuffered, $this->state->transaction))->result();
            }
            return $this->shard->run($plan, $routes[0], [], $parameters, $types);
        }
        return $plan->kind === PlanKind::InsertRows ? $this->writes->insert($plan, $parameters, $types) : $this->writes->change($plan, $parameters, $types);
    }

    private function control(Plan $plan): Result
    {
        $argument = $plan->statement->argument;
        match ($plan->statement->kind) {
            StatementKind::Begin => $this->begin(TransactionMode::Single),
            StatementKind::Commit => $this->commit(),
            StatementKind::Rollback => $argument === '' ? $this->rollBack() : $this->everywhere($plan->statement->sql),
            StatementKind::Savepoint => $this->everywhere($plan->statement->sql),
            StatementKind::Use => $this->useTarget($argument),
            default => throw Unsupported::because("SET $argument", 'Connections are shared: set it for each new one by Options::$prepare.'),
        };
        return Result::changed(0);
    }

    /** A savepoint is on each shard that the transaction has touched. */
    private function everywhere(string $sql): void
    {
        $transaction = $this->state->transaction ?? throw new TransactionException('There is no active transaction.');
        foreach ($transaction->shards() as $shard) {
            $transaction->on($shard)->exec($sql);
        }
    }

    /** `keyspace`, `keyspace:-80`, `keyspace@replica`, `keyspace:-80@replica`. */
    public function useTarget(string $name): void
    {
        if ($this->state->transaction !== null) {
            throw new TransactionException('The target cannot change within a transaction. Commit or roll back first.');
        }
        if (!\preg_match('/\A([\w-]*?)(?::([0-9a-f]*-[0-9a-f]*|0))?(?:@(\w+))?\z/i', $name, $parts)) {
            throw new ShardingException("\"$name\" is no target. Examples: main, main:-80, main@replica, main:-80@replica.");
        }
        if ($this->state->keyspace->options->passThrough) {
            $this->state->passedTarget = $name;
            return;
        }
        $keyspace = null;
        foreach ($this->state->keyspace->reachable() as $one) {
            $keyspace = $parts[1] === $one->name || $parts[1] === '' ? $keyspace ?? $one : $keyspace;
        }
        if ($keyspace === null) {
            throw new Unsupported('VT05003', "unknown database '$parts[1]' in vschema", 'Known is ' . \implode(', ', \array_map(static fn(Keyspace $one) => $one->name, $this->state->keyspace->reachable())) . '.');
        }
        $this->pinned = ($parts[2] ?? '') === '' ? ($keyspace === $this->state->keyspace ? null : $keyspace->onlyShard()) : $keyspace->shardNamed(\strtolower($parts[2]));
        $this->state->target = isset($parts[3]) ? Target::named($parts[3]) : Target::Primary;
    }

    private function log(string $line): void
    {
        if ($this->state->keyspace->options->log !== null) {
            ($this->state->keyspace->options->log)($line);
        }
    }
}
