<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Connection\Connections;
use Sluice\Sharding\Reshard\Fence;
use Sluice\Sharding\Vindex\Lookup;

/** A database that is spread over shards: Vitess's word. Everything is checked when it is made; no shard is asked for that. */
final class Keyspace
{
    public readonly Figures $figures;
    /** Only the keyspace changes it: when its rows have moved to shards with another VSchema. */
    public VSchema $vschema;
    /** @var int how often the VSchema has changed, for plans that were made before @internal */
    public int $generation = 0;
    /** @internal */
    public readonly Schema $schema;
    /** @internal */
    public readonly Connections $connections;
    /** @var non-empty-list<Shard> in the order of their ranges */
    private array $shards;
    /** @var array<string, Table> */
    private array $tables = [];
    /** @var array<string, self> */
    private array $others = [];
    /** @var array<string, Sequence> */
    private array $sequences = [];

    /** @param array<array-key, string|Address> $shards */
    private function __construct(public readonly string $name, VSchema $vschema, array $shards, public readonly Options $options)
    {
        $this->vschema = $vschema;
        $this->figures = new Figures();
        $this->schema = new Schema($this);
        $this->connections = new Connections($options);
        $list = [];
        foreach ($shards as $shard => $address) {
            $list[] = $this->shard((string) $shard, $address);
        }
        $this->shards = $this->order($list);
        $this->connectLookups();
    }

    /**
     * @param string|array<mixed> $vschema Vitess's VSchema: JSON, the path of a JSON file, or an array of the same shape
     * @param array<array-key, string|Address> $shards from names such as `-80` and `80-` to DSNs; `-` or `0` when it is not sharded
     * @param string $name as in `USE name:-80` and `name.table`
     * @param list<self> $others further keyspaces, for sequences and lookup tables
     * @throws ConfigurationException when something is not right; the message says what
     */
    public static function of(string|array $vschema, array $shards, Options $options = new Options(), string $name = 'main', array $others = []): self
    {
        $keyspace = new self($name, VSchema::of($vschema), $shards, $options);
        foreach ($others as $other) {
            $keyspace->others[$other->name] = $other;
        }
        foreach ($keyspace->vschema->tables as $table) {
            if ($table->autoIncrement !== null) {
                $keyspace->resolve($table->autoIncrement['sequence']);
            }
        }
        foreach ($keyspace->vschema->vindexes as $vindex) {
            if ($vindex instanceof Lookup) {
                $keyspace->resolve($vindex->table);
            }
        }
        return $keyspace;
    }

    public function isSharded(): bool
    {
        return $this->vschema->isSharded;
    }

    /** @return non-empty-list<Shard> in the order of their ranges */
    public function shards(): array
    {
        return $this->shards;
    }

    /** @throws ShardingException when there is no such shard */
    public function shardNamed(string $name): Shard
    {
        foreach ($this->shards as $shard) {
            if ($shard->name === $name) {
                return $shard;
            }
        }
        throw new ShardingException("The keyspace $this->name has no shard \"$name\". It has " . \implode(', ', \array_map(static fn(Shard $shard) => $shard->name, $this->shards)) . '.');
    }

    /** The one shard of a keyspace that is not sharded. */
    public function onlyShard(): Shard
    {
        return $this->shards[0];
    }

    public function shardOf(string $keyspaceId): Shard
    {
        $low = 0;
        $high = \count($this->shards) - 1;
        while ($low < $high) {
            $middle = ($low + $high + 1) >> 1;
            if (\strcmp($this->shards[$middle]->range->start, $keyspaceId) <= 0) {
                $low = $middle;
            } else {
                $high = $middle - 1;
            }
        }
        return $this->shards[$low];
    }

    /**
     * A table by its name in the VSchema.
     *
     * @throws RefusedException when the VSchema does not have it
     */
    public function table(string $name): Table
    {
        $key = \strtolower($name);
        return $this->tables[$key] ??= new Table($this, $this->vschema->tables[$key] ?? throw (new RefusedException('VT05005', "the table $name is not in the keyspace $this->name. It has "
            . (\implode(', ', \array_keys($this->vschema->tables)) ?: 'none') . '. Add it to the VSchema.'))->at(CallSite::outside()));
    }

    /**
     * The keyspace and the name of a table that may be written as `keyspace.table`.
     *
     * @return array{self, string}
     * @throws ConfigurationException when there is no such keyspace or table
     */
    public function resolve(string $name): array
    {
        [$keyspace, $table] = \str_contains($name, '.') ? \explode('.', $name, 2) : [$this->name, $name];
        $found = $keyspace === $this->name ? $this : $this->others[$keyspace] ?? null;
        if ($found === null || !isset($found->vschema->tables[\strtolower($table)])) {
            throw new ConfigurationException("The VSchema of the keyspace $this->name names the table $name, which does not exist. Add it to a VSchema, and its keyspace to \$others.");
        }
        return [$found, $table];
    }

    /** The sequence of this table, of which a process has one block at a time. */
    public function sequence(string $table): Sequence
    {
        return $this->sequences[$table] ??= new Sequence($this, $table);
    }

    /**
     * Connects once to each shard: called when the application starts, it finds a server that is down, or a wrong DSN, before a request does.
     *
     * @param int $seconds for each shard, 1 to 3,600
     * @throws ConfigurationException which names all shards that cannot be reached
     */
    public function requireReachable(int $seconds = 5): void
    {
        if ($seconds < 1 || $seconds > 3_600) {
            throw new \ValueError("The seconds must be from 1 to 3600, $seconds given");
        }
        $checks = \array_map(static fn(Shard $shard) => static fn() => $shard->topology->reach($seconds), $this->shards);
        $down = [];
        foreach (Runtime::gather($checks, 64, null, true)->errors as $i => $error) {
            $down[] = "{$this->shards[$i]->name} ({$this->shards[$i]->address->dsn}): {$error->getMessage()}";
        }
        if ($down !== []) {
            throw new ConfigurationException("Shards of the keyspace $this->name cannot be reached. Start their servers, or correct their DSNs. " . \implode('; ', $down));
        }
    }

    /** @return list<self> this one and the others that its tables may name */
    public function reachable(): array
    {
        return [$this, ...\array_values($this->others)];
    }

    /**
     * Looks on a shard whether its rows have moved to others, which then take its place in the map of shards.
     *
     * @return bool whether they have
     * @throws ShardingException when they have moved by half for longer than failoverSeconds: others of shards that are joined are to follow
     */
    private function follow(Shard $shard): bool
    {
        $began = \hrtime(true);
        while (\in_array($shard, $this->shards, true)) {
            $successors = Fence::ask($shard);
            if ($successors === null) {
                return false;
            }
            $new = [];
            foreach ($successors->shards as [$name, $address]) {
                $new[] = $this->shard($name, $address);
            }
            // A new shard may have rows of several old ones, and is whole when all of them have moved.
            $old = \array_filter($this->shards, static fn(Shard $one) => \array_filter($new, static fn(Shard $other) => $other->range->intersects($one->range)) !== []);
            $left = \array_filter($old, static fn(Shard $one) => $one !== $shard && Fence::ask($one) === null);
            if ($left === []) {
                \array_map(Fence::awaitRetired(...), $old);
                foreach ($old as $one) {
                    foreach ($one === $shard ? [] : Fence::ask($one)->shards ?? [] as [$name, $address]) {
                        $new[] = $this->shard($name, $address);
                    }
                }
                $byName = [];
                foreach ([...\array_udiff($this->shards, $old, static fn(Shard $a, Shard $b) => \spl_object_id($a) <=> \spl_object_id($b)), ...$new] as $one) {
                    $byName[$one->name] = $one;
                }
                $this->shards = $this->order(\array_values($byName));
                if ($successors->vschema !== null) {
                    $this->become(VSchema::of($successors->vschema));
                }
                return true;
            }
            if ((\hrtime(true) - $began) / 1e9 > $this->options->failoverSeconds) {
                throw new ShardingException("The shard $this->name:$shard->name has moved, and " . \implode(', ', \array_map(static fn(Shard $one) => $one->name, $left))
                    . ", which it is joined with, has not for {$this->options->failoverSeconds} s (failoverSeconds). Let sluice shard reshard go on.");
            }
            Runtime::sleep(0.02);
        }
        return true;  // Another coroutine has looked.
    }

    /** Keys are mapped in another way from now on: plans of statements are made anew, and tables that are held give the new shards. */
    private function become(VSchema $vschema): void
    {
        $this->vschema = $vschema;
        ++$this->generation;
        $this->schema->forget();
        $this->connectLookups();
        foreach ($this->tables as $name => $table) {
            if (isset($vschema->tables[$name])) {
                $table->become($vschema->tables[$name]);
            }
        }
    }

    private function connectLookups(): void
    {
        foreach ($this->vschema->vindexes as $vindex) {
            if ($vindex instanceof Lookup) {
                $vindex->connect(new LookupTables($this));
            }
        }
    }

    /** A transaction on one shard: the first statement chooses it, and one for another shard throws. */
    public function transaction(): Transaction
    {
        return Transaction::single($this);
    }

    private function shard(string $name, string|Address $address): Shard
    {
        return new Shard($this->name, $name, KeyRange::parse($name), Address::of($address), $this->connections, $this->figures, $this->follow(...));
    }

    /**
     * @param list<Shard> $list
     * @return non-empty-list<Shard>
     */
    private function order(array $list): array
    {
        \usort($list, static fn(Shard $a, Shard $b) => \strcmp($a->range->start, $b->range->start));
        if ($list === []) {
            throw new ConfigurationException("The keyspace $this->name has no shards. Give at least '-' with a DSN.");
        }
        if ($this->options->passThrough && \count($list) > 1) {
            throw new ConfigurationException("The keyspace $this->name has " . \count($list) . ' shards and passThrough, with which the server knows the shards. Give one shard, - with its DSN.');
        }
        if (!$this->vschema->isSharded && \count($list) > 1) {
            throw new ConfigurationException("The keyspace $this->name has " . \count($list) . ' shards, but its VSchema does not say "sharded": true.');
        }
        $end = '';
        foreach ($list as $i => $shard) {
            if ($i === 0 ? $shard->range->start !== '' : $shard->range->start !== $end || $end === '') {
                $before = $i === 0 ? 'the beginning' : "the shard {$list[$i - 1]->name}";
                $what = $i > 0 && ($end === '' || \strcmp($shard->range->start, $end) < 0) ? 'overlap' : 'leave a gap';
                throw new ConfigurationException("The shards of the keyspace $this->name $what between $before and the shard $shard->name. Each keyspace id must be in one shard.");
            }
            $end = $shard->range->end;
        }
        if ($end !== '') {
            throw new ConfigurationException("The shards of the keyspace $this->name leave a gap after the shard {$list[\count($list) - 1]->name}. The last one must end with \"-\".");
        }
        return $list;
    }
}
