<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Sql\{Cursors, Edit, Expr, Inserting, Plan, PlanKind, Planner, Rendered, Result, Route, Router, ScatterReads, StatementKind, TableRef, Unsupported};
use Sluice\Sharding\Vindex\Lookup;

/** What one Sharding\PDO does: statements to shards, with its transaction and its target. @internal */
final class Session
{
    private ?Transaction $transaction = null;
    private ?Shard $pinned = null;
    private Target $target = Target::Primary;
    /** @var array<string, string> positions of what this session has written, by shard, for its reads from replicas */
    private array $positions = [];
    /** What USE has said to a server that knows the shards. */
    private string $passedTarget = '';
    public string $lastInsertId = '0';
    public bool $isBuffered = true;

    public function __construct(private Keyspace $keyspace, private readonly Planner $planner, private readonly bool $readsItsWrites = true) {}

    public function transaction(): ?Transaction
    {
        return $this->transaction;
    }

    public function begin(TransactionMode $mode): void
    {
        if ($this->transaction !== null) {
            throw new TransactionException('There is already an active transaction.');
        }
        $this->transaction = Transaction::of($this->keyspace, $mode);
    }

    public function commit(): void
    {
        $transaction = $this->transaction ?? throw new TransactionException('There is no active transaction.');
        $this->transaction = null;
        $transaction->commit();
    }

    public function rollBack(): void
    {
        $transaction = $this->transaction ?? throw new TransactionException('There is no active transaction.');
        $this->transaction = null;
        $transaction->rollBack();
    }

    /**
     * @param array<int|string, mixed> $parameters by number from 0, or by name without the colon
     * @param array<int|string, int> $types of PDO
     */
    public function execute(string $sql, array $parameters = [], array $types = []): Result
    {
        $began = \hrtime(true);
        try {
            $isControl = \preg_match('/\A\s*(USE|BEGIN|START|COMMIT|ROLLBACK)\b/i', $sql) === 1;
            $pinned = $this->keyspace->options->passThrough ? $this->keyspace->onlyShard() : $this->pinned;
            if ($pinned !== null && !$isControl) {
                return $this->onPinned($pinned, $sql, $parameters, $types);
            }
            $plan = $this->planner->plan($sql);
            $result = $this->run($plan, $parameters, $types);
        } catch (Unsupported $error) {
            $site = CallSite::outside();
            $this->keyspace->figures->refused($site);
            $this->log("refused at $site: {$error->getMessage()}");
            throw $error->callSite === '' ? $error->at($site) : $error;
        }
        $seconds = (\hrtime(true) - $began) / 1e9;
        if ($seconds >= $this->keyspace->options->slowSeconds) {
            $this->log(\sprintf('slow query, %.3f s, route: %s: %s', $seconds, $plan->describe(), $sql));
        }
        return $result;
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
        if ($plan->statement->kind === StatementKind::Select || $plan->statement->kind === StatementKind::Show) {
            $routes = Router::routes($plan, $parameters);
            if (\count($routes) > 1) {
                $reads = new ScatterReads($plan, $routes, $parameters, $types, $this->target, $this->isBuffered, $this->transaction);
                return $reads->result();
            }
            return $this->one($plan, $routes[0], [], $parameters, $types);
        }
        return $plan->kind === PlanKind::InsertRows ? $this->insert($plan, $parameters, $types) : $this->change($plan, $parameters, $types);
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function change(Plan $plan, array $parameters, array $types): Result
    {
        $routes = Router::routes($plan, $parameters);
        if (\count($routes) > 1 && ($plan->statement->block->limit !== null || $plan->statement->block->order !== [])) {
            throw Unsupported::because('UPDATE or DELETE with ORDER BY or LIMIT over several shards', 'Give it one key.');
        }
        $lookups = $this->entriesToDelete($plan, $routes, $parameters, $types);
        $result = $this->write($plan, $routes, static fn() => [], $parameters, $types);
        $this->afterCommit(static function () use ($lookups): void {
            foreach ($lookups as [$vindex, $value, $id]) {
                $vindex->delete($value, $id);
            }
        });
        return $plan->kind === PlanKind::WriteEverywhere && \count($routes) > 0 ? Result::changed(\intdiv($result->rowCount, \count($routes)), $result->lastInsertId) : $result;
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function insert(Plan $plan, array $parameters, array $types): Result
    {
        \assert($plan->target !== null);
        $table = $plan->target;
        $inserting = new Inserting($plan, $table, $parameters);
        $routes = [];
        $rows = [];
        foreach ($inserting->places as ['route' => $route, 'rows' => $of]) {
            $routes[] = $route;
            $rows[$route->shard->name . $route->suffix] = $of;
        }
        foreach ($inserting->lookups as [$vindex, $value, $id]) {
            $vindex->create($value, $id, fn(string $at): bool => $this->hasOwner($table, $vindex, $value, $at));
        }
        $result = $this->write($plan, $routes, static fn(Route $route) => $inserting->editsFor($rows[$route->shard->name . $route->suffix]), $parameters, $types);
        if ($inserting->firstNumber !== null) {
            $this->lastInsertId = (string) $inserting->firstNumber;
        }
        return $result;
    }

    /**
     * Writes to one shard, or to several in one transaction.
     *
     * @param list<Route> $routes
     * @param \Closure(Route): list<Edit> $edits
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function write(Plan $plan, array $routes, \Closure $edits, array $parameters, array $types): Result
    {
        if ($this->target !== Target::Primary) {
            throw new Unsupported('VT09023', 'a write while the target is @replica', 'USE the keyspace without @replica.');
        }
        if (\count($routes) === 1) {
            return $this->one($plan, $routes[0], $edits($routes[0]), $parameters, $types);
        }
        $mine = $this->transaction === null && !$plan->statement->directives->multiShardAutocommit ? Transaction::ordered($plan->keyspace) : null;
        $this->transaction ??= $mine;
        $count = 0;
        try {
            foreach ($routes as $route) {
                $count += $this->one($plan, $route, $edits($route), $parameters, $types)->rowCount;
            }
        } catch (\Throwable $error) {
            if ($mine !== null) {
                $this->rollBack();
            }
            throw $error;
        }
        if ($mine !== null) {
            $this->commit();
        }
        return Result::changed($count, $this->lastInsertId);
    }

    /**
     * A statement on one shard.
     *
     * @param list<Edit> $edits
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function one(Plan $plan, Route $route, array $edits, array $parameters, array $types): Result
    {
        $rendered = $edits === [] && $route->suffix === '' ? $plan->plain ??= Rendered::of($plan->statement, self::names($plan, ''))
            : Rendered::of($plan->statement, [...$edits, ...self::names($plan, $route->suffix)]);
        $isRead = $plan->statement->isRead() || $plan->statement->kind === StatementKind::Show;
        $work = fn(\PDO $db): Result => $this->finish($db, $rendered->sql, ...self::values($rendered->parameters, $parameters, $types));
        $seconds = $plan->statement->directives->timeoutSeconds;
        $until = $seconds === null ? null : \microtime(true) + $seconds;
        if ($this->transaction !== null && ($plan->kind !== PlanKind::AnyShard || !$isRead || $this->transaction->shards() !== [])) {
            $shard = $plan->kind === PlanKind::AnyShard && $isRead ? $this->transaction->shards()[0] : $route->shard;
            $transaction = $this->transaction;
            return Runtime::within($until, static fn() => $work($transaction->on($shard)));
        }
        $target = $isRead ? $this->target : Target::Primary;
        $after = $target === Target::Replica && $this->readsItsWrites ? $this->positions[$route->shard->name] ?? null : null;
        return Runtime::within($until, fn() => $route->shard->use(function (\PDO $db) use ($work, $isRead, $route): Result {
            $result = $work($db);
            if (!$isRead && $this->readsItsWrites && $route->shard->topology->replicas() !== []) {
                $this->positions[$route->shard->name] = Shard::position($db);
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
                $this->lastInsertId = $id;
            }
            return Result::changed($statement->rowCount(), $this->lastInsertId);
        }
        $columns = Cursors::columns($statement);
        $rows = \array_values($statement->fetchAll(\PDO::FETCH_NUM));
        /** @var list<list<mixed>> $rows */
        return new Result($columns, new \ArrayIterator($rows), \count($rows));
    }

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     */
    private function onPinned(Shard $shard, string $sql, array $parameters, array $types): Result
    {
        $work = function (\PDO $db) use ($sql, $parameters, $types): Result {
            if ($this->passedTarget !== '') {
                $db->exec('USE ' . Identifier::quote($this->passedTarget));
            }
            $statement = $db->prepare($sql);
            foreach ($parameters as $key => $value) {
                $statement->bindValue(\is_int($key) ? $key + 1 : ":$key", $value, $types[$key] ?? \PDO::PARAM_STR);
            }
            $statement->execute();
            /** @var list<list<mixed>> $rows */
            $rows = $statement->columnCount() === 0 ? [] : \array_values($statement->fetchAll(\PDO::FETCH_NUM));
            $this->lastInsertId = $db->lastInsertId() ?: $this->lastInsertId;
            return $statement->columnCount() === 0 ? Result::changed($statement->rowCount(), $this->lastInsertId) : new Result(Cursors::columns($statement), new \ArrayIterator($rows), \count($rows));
        };
        return $this->transaction !== null ? $work($this->transaction->on($shard)) : $shard->use($work, $this->target);
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
        $transaction = $this->transaction ?? throw new TransactionException('There is no active transaction.');
        foreach ($transaction->shards() as $shard) {
            $transaction->on($shard)->exec($sql);
        }
    }

    /** `keyspace`, `keyspace:-80`, `keyspace@replica`, `keyspace:-80@replica`. */
    public function useTarget(string $name): void
    {
        if ($this->transaction !== null) {
            throw new TransactionException('The target cannot change within a transaction. Commit or roll back first.');
        }
        if (!\preg_match('/\A([\w-]*?)(?::([0-9a-f]*-[0-9a-f]*|0))?(?:@(\w+))?\z/i', $name, $parts)) {
            throw new ShardingException("\"$name\" is no target. Examples: main, main:-80, main@replica, main:-80@replica.");
        }
        if ($this->keyspace->options->passThrough) {
            $this->passedTarget = $name;
            return;
        }
        $keyspace = null;
        foreach ($this->keyspace->reachable() as $one) {
            $keyspace = $parts[1] === $one->name || $parts[1] === '' ? $keyspace ?? $one : $keyspace;
        }
        if ($keyspace === null) {
            throw new Unsupported('VT05003', "unknown database '$parts[1]' in vschema", 'Known is ' . \implode(', ', \array_map(static fn(Keyspace $one) => $one->name, $this->keyspace->reachable())) . '.');
        }
        $this->pinned = ($parts[2] ?? '') === '' ? ($keyspace === $this->keyspace ? null : $keyspace->onlyShard()) : $keyspace->shardNamed(\strtolower($parts[2]));
        $this->target = isset($parts[3]) ? Target::named($parts[3]) : Target::Primary;
    }

    /**
     * Names of tables as they are on a shard.
     *
     * @return list<Edit>
     */
    public static function names(Plan $plan, string $suffix): array
    {
        $edits = [];
        foreach ($plan->statement->tableRefs() as $ref) {
            $isForeign = \in_array($ref->keyspace, ['information_schema', 'mysql', 'performance_schema', 'sys'], true);
            if ($ref->keyspace !== '' && !$isForeign) {
                $edits[] = new Edit($ref->start, $ref->nameStart, '');
            }
            if ($suffix !== '' && self::isSharded($plan, $ref)) {
                $isSelect = $plan->statement->kind === StatementKind::Select;
                $edits[] = new Edit($ref->nameStart, $ref->end, Identifier::quote($ref->name . $suffix) . ($isSelect && !$ref->hasAlias ? ' AS ' . Identifier::quote($ref->name) : ''));
            }
        }
        return $edits;
    }

    private static function isSharded(Plan $plan, TableRef $ref): bool
    {
        foreach ($plan->tables as [$one]) {
            if ($one === $ref) {
                return true;
            }
        }
        return false;
    }

    /**
     * @param list<int|string> $keys
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     * @return array{list<mixed>, array<int, int>}
     */
    public static function values(array $keys, array $parameters, array $types): array
    {
        $values = [];
        $typed = [];
        foreach ($keys as $i => $key) {
            if (!\array_key_exists($key, $parameters)) {
                throw new \PDOException('SQLSTATE[HY093]: Invalid parameter number: the parameter ' . (\is_int($key) ? $key + 1 : ":$key") . ' is not bound');
            }
            $values[] = $parameters[$key];
            if (isset($types[$key])) {
                $typed[$i] = $types[$key];
            }
        }
        return [$values, $typed];
    }

    private function hasOwner(Table $table, Lookup $vindex, mixed $value, string $keyspaceId): bool
    {
        $column = null;
        foreach ($table->schema->vindexes as $one) {
            $column = $one->vindex === $vindex ? $one->columns[0] : $column;
        }
        return $this->keyspace->shardOf($keyspaceId)->use(static function (\PDO $db) use ($table, $column, $value): bool {
            $statement = $db->prepare('SELECT 1 FROM ' . Identifier::quote($table->schema->name) . ' WHERE ' . Identifier::quote((string) $column) . ' = ? LIMIT 1 FOR UPDATE');
            $statement->execute([$value]);
            return $statement->fetchColumn() !== false;
        });
    }

    /**
     * @param list<Route> $routes
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     * @return list<array{Lookup, mixed, string}>
     */
    private function entriesToDelete(Plan $plan, array $routes, array $parameters, array $types): array
    {
        if ($plan->statement->kind !== StatementKind::Delete || $plan->target === null) {
            return [];
        }
        $table = $plan->target;
        $entries = [];
        foreach ($table->schema->vindexes as $owned) {
            if (!$owned->isOwned || !$owned->vindex instanceof Lookup) {
                continue;
            }
            $columns = [...$table->schema->primary()->columns, $owned->columns[0]];
            $block = $plan->statement->block;
            $select = 'SELECT ' . \implode(', ', \array_map(Identifier::quote(...), $columns)) . ' FROM ';
            foreach ($routes as $route) {
                $found = $this->one($plan, $route, [new Edit(0, $block->tables[0]->start, $select)], $parameters, $types);
                foreach ($found->rows as $row) {
                    $value = \array_pop($row);
                    $entries[] = [$owned->vindex, $table->schema->key($owned->columns[0], $value), $table->keyspaceId(...$row)];
                }
            }
        }
        return $entries;
    }

    /** @param \Closure(): mixed $work */
    private function afterCommit(\Closure $work): void
    {
        $this->transaction === null ? $work() : $this->transaction->afterCommit($work);
    }

    private function log(string $line): void
    {
        if ($this->keyspace->options->log !== null) {
            ($this->keyspace->options->log)($line);
        }
    }
}
