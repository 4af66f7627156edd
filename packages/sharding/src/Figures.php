<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Figures of a keyspace in this process. */
final class Figures
{
    /** How many of the last durations of a shard the percentile is of. */
    private const KEPT = 1000;
    /** @var array<string, ShardFigures> */
    private array $shards = [];
    /** @var array<string, int> refused statements by call site */
    private array $refused = [];
    /** @var array<int, int> how often keyspace ids with this first byte were routed to */
    private array $heat = [];

    /** @internal */
    public function asked(Shard $shard, float $seconds, bool $failed): void
    {
        $one = $this->of($shard->name);
        $one->durations[$one->queries++ % self::KEPT] = $seconds;
        $one->errors += $failed ? 1 : 0;
    }

    /** @internal */
    public function merged(Shard $shard, int $rows): void
    {
        $this->of($shard->name)->rows += $rows;
    }

    /** @internal */
    public function failedOver(Shard $shard): void
    {
        ++$this->of($shard->name)->failovers;
    }

    /** @internal */
    public function refused(string $callSite): void
    {
        if (isset($this->refused[$callSite]) || \count($this->refused) < 1000) {
            $this->refused[$callSite] = ($this->refused[$callSite] ?? 0) + 1;
        }
    }

    /** @internal */
    public function routed(string $keyspaceId): void
    {
        $byte = \ord($keyspaceId === '' ? "\0" : $keyspaceId[0]);
        $this->heat[$byte] = ($this->heat[$byte] ?? 0) + 1;
    }

    /**
     * By shard: how often it was asked, how many of these failed, rows that were merged, failovers, and the 99th percentile of its last 1,000 durations in seconds.
     *
     * @return array<string, array{queries: int, errors: int, rows: int, failovers: int, p99: float}>
     */
    public function shards(): array
    {
        $shards = [];
        foreach ($this->shards as $name => $one) {
            $shards[$name] = ['queries' => $one->queries, 'errors' => $one->errors, 'rows' => $one->rows, 'failovers' => $one->failovers, 'p99' => $one->p99()];
        }
        return $shards;
    }

    /** @return array<string, int> how many statements were refused, by call site; at most 1,000 sites */
    public function refusals(): array
    {
        return $this->refused;
    }

    /** @return array<string, int> how often each 256th of the key range was routed to, by its name such as 40-41 */
    public function heat(): array
    {
        $heat = [];
        \ksort($this->heat);
        foreach ($this->heat as $byte => $count) {
            $heat[KeyRange::ofPrefix(\chr($byte))->name()] = $count;
        }
        return $heat;
    }

    private function of(string $shard): ShardFigures
    {
        return $this->shards[$shard] ??= new ShardFigures();
    }
}
