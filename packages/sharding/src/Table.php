<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Vindex\{Destination, Functional, LegacySplit};

/** A table of a keyspace: where its rows are, and work on its shards with plain PDO. */
final class Table
{
    /** Only the keyspace changes it. */
    public TableSchema $schema;
    /** The primary vindex when it is a function of one column, and that column. */
    private ?Functional $function;
    private string $column;

    /** @internal */
    public function __construct(public readonly Keyspace $keyspace, TableSchema $schema)
    {
        $this->become($schema);
    }

    /** @internal */
    public function become(TableSchema $schema): void
    {
        $this->schema = $schema;
        $primary = $schema->vindexes[0] ?? null;
        $this->function = $primary?->vindex instanceof Functional ? $primary->vindex : null;
        $this->column = $primary->columns[0] ?? '';
    }

    /**
     * The shard of the rows with this key.
     *
     * @param mixed ...$key the values of the primary vindex's columns, in its order
     * @throws KeyException when a value cannot be a key
     */
    public function shard(mixed ...$key): Shard
    {
        return $this->keyspace->shardOf($this->keyspaceId(...$key));
    }

    /**
     * The keyspace id of this key, as bytes.
     *
     * @throws KeyException when a value cannot be a key
     */
    public function keyspaceId(mixed ...$key): string
    {
        try {
            if ($this->function !== null && \count($key) === 1 && isset($key[0])) {
                $id = $this->function->hash($this->schema->key($this->column, $key[0]));
                $this->keyspace->figures->routed($id);
                return $id;
            }
            $columns = $this->schema->primary()->vindex->columns();
            if (\count($key) !== $columns) {
                throw new KeyException("The key has $columns " . ($columns === 1 ? 'value, ' : 'values, ') . \count($key) . ' given. Give one for each column.');
            }
            return $this->destination(\array_values($key))->keyspaceIds[0] ?? throw new KeyException('No keyspace id is known for this key.');
        } catch (RefusedException $error) {
            throw $error->about($this->schema->name, $this->schema->primary()->columns)->at(CallSite::outside());
        }
    }

    /**
     * The name of the table where the rows with this key are: with legacy_split `user_46` for `user`.
     *
     * @throws KeyException when a value cannot be a key
     */
    public function name(mixed ...$key): string
    {
        $vindex = $this->schema->kind === TableKind::Sharded ? $this->schema->primary()->vindex : null;
        return $this->schema->name . ($vindex instanceof LegacySplit ? $vindex->suffix($this->keyspaceId(...$key)) : '');
    }

    /** The name of one of its tables on a shard. @internal */
    public function anyName(): string
    {
        $vindex = $this->schema->kind === TableKind::Sharded ? $this->schema->primary()->vindex : null;
        return $this->schema->name . ($vindex instanceof LegacySplit ? $vindex->suffixes()[0] : '');
    }

    /**
     * Groups keys by shard, and asks these shards at once.
     *
     * @template R
     * @param list<mixed> $keys values of a primary vindex of one column
     * @param callable(\PDO, list<mixed>, Shard): R $work called with the keys of its shard
     * @param int $limit how many shards at a time, 1 to 10,000
     * @param float|null $deadline seconds for all of them
     * @param bool $partial true: a shard that fails is left out, and its exception is in `errors`
     * @return Gathered<string, R> by the names of shards
     * @throws \Throwable what a shard throws, unless $partial
     */
    public function each(array $keys, callable $work, int $limit = 64, ?float $deadline = null, bool $partial = false): Gathered
    {
        $shards = [];
        $byShard = [];
        foreach ($keys as $key) {
            $shard = $this->shard($key);
            $shards[$shard->name] = $shard;
            $byShard[$shard->name][] = $key;
        }
        return $this->ask($shards, static fn(\PDO $db, Shard $shard) => $work($db, $byShard[$shard->name], $shard), $limit, $deadline, $partial);
    }

    /**
     * Asks all shards at once. Their connections are taken together, for as many shards as may be asked at a time.
     *
     * @template R
     * @param callable(\PDO, Shard): R $work
     * @param int $limit how many shards at a time, 1 to 10,000
     * @param float|null $deadline seconds for all of them
     * @param bool $partial true: a shard that fails is left out, and its exception is in `errors`
     * @return Gathered<string, R> by the names of shards, in their order
     * @throws \Throwable what a shard throws, unless $partial
     */
    public function scatter(callable $work, int $limit = 64, ?float $deadline = null, bool $partial = false, Target $target = Target::Primary): Gathered
    {
        $shards = [];
        foreach ($this->keyspace->shards() as $shard) {
            $shards[$shard->name] = $shard;
        }
        return $this->ask($shards, $work, $limit, $deadline, $partial, $target);
    }

    /**
     * @param list<mixed> $values
     * @throws KeyException
     * @internal
     */
    public function destination(array $values, ?ColumnVindex $vindex = null): Destination
    {
        $vindex ??= $this->schema->primary();
        foreach ($values as $i => $value) {
            $values[$i] = $this->schema->key($vindex->columns[$i], $value);
        }
        try {
            $destination = $vindex->vindex->map($values);
        } catch (KeyException $error) {
            throw $error->about($this->schema->name, $vindex->columns);
        }
        foreach ($destination->keyspaceIds as $id) {
            $this->keyspace->figures->routed($id);
        }
        return $destination;
    }

    /**
     * @template R
     * @param array<string, Shard> $shards
     * @param callable(\PDO, Shard): R $work
     * @return Gathered<string, R>
     */
    private function ask(array $shards, callable $work, int $limit, ?float $deadline, bool $partial, Target $target = Target::Primary): Gathered
    {
        if ($limit < 1 || $limit > 10_000) {
            throw new \ValueError("The limit must be from 1 to 10000, $limit given");
        }
        $until = $deadline === null ? null : \microtime(true) + $deadline;
        $results = [];
        $errors = [];
        // Whoever holds no connection while it waits for all of them cannot be part of a deadlock.
        foreach (\array_chunk($shards, \max(1, \min($limit, $this->atOnce($shards))), true) as $some) {
            $functions = [];
            foreach ($some as $name => $shard) {
                $functions[$name] = static fn() => $shard->use($work, $target);
            }
            $gathered = Runtime::gather($functions, $limit, $until === null ? null : $until - \microtime(true), $partial);
            $results += $gathered->results;
            $errors += $gathered->errors;
        }
        return new Gathered($results, $errors);
    }

    /** @param array<string, Shard> $shards */
    private function atOnce(array $shards): int
    {
        $hosts = [0, ...\array_values(\array_count_values(\array_map(static fn(Shard $shard) => \md5($shard->address->host), $shards)))];
        $options = $this->keyspace->options;
        return \max($hosts) > $options->connectionsPerHost ? $options->connectionsPerHost : $options->connections;
    }
}
