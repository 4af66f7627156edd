<?php

declare(strict_types=1);

namespace Sluice\Sharding\Connection;

use Sluice\Sharding\{Address, Options, Shard, Target};

/** All connections of a keyspace in this process. @internal */
final class Connections
{
    public readonly Gate $gate;
    /** @var array<string, HostPool> */
    private array $pools = [];

    public function __construct(public readonly Options $options)
    {
        $this->gate = new Gate($options);
    }

    /**
     * Connections to all these shards, taken at once.
     *
     * @param list<Shard> $shards
     * @return list<ShardLease> in the order of the shards
     */
    public function borrow(array $shards, Target $target): array
    {
        $addresses = \array_map(static fn(Shard $shard) => $shard->topology->address($target), $shards);
        $needs = [];
        foreach ($shards as $i => $shard) {
            $needs[] = [$addresses[$i]->host, $shard->name];
        }
        $this->gate->take($needs);
        $leases = [];
        try {
            foreach ($shards as $i => $shard) {
                $leases[] = new ShardLease($this, $shard, $addresses[$i], $needs[$i], $this->pool($addresses[$i])->borrow($addresses[$i]->database));
            }
        } catch (\Throwable $error) {
            $isReached = \count($leases);
            foreach ($leases as $lease) {
                $lease->giveBack();
            }
            $this->gate->give(\array_slice($needs, $isReached));
            Failure::wasEarly($error);
            throw $error;
        }
        return $leases;
    }

    /**
     * A connection to one shard.
     *
     * @param bool $staysElsewhere whether it may be in the database of another shard, which the lease says then
     */
    public function borrowOne(Shard $shard, Target $target, bool $staysElsewhere = false): ShardLease
    {
        $address = $shard->topology->address($target);
        $need = [$address->host, $shard->name];
        $this->gate->take([$need]);
        try {
            return new ShardLease($this, $shard, $address, $need, $this->pool($address)->borrow($address->database, $staysElsewhere));
        } catch (\Throwable $error) {
            $this->gate->give([$need]);
            Failure::wasEarly($error);
            throw $error;
        }
    }

    /** @param array{string, string} $need */
    public function giveBack(array $need): void
    {
        $this->gate->give([$need]);
    }

    private function pool(Address $address): HostPool
    {
        return $this->pools[$address->host] ??= new HostPool($address, $this->options);
    }
}
