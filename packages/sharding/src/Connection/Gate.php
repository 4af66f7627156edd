<?php

declare(strict_types=1);

namespace Sluice\Sharding\Connection;

use Sluice\Coroutine\{Channel, TimeoutException};
use Sluice\Sharding\{Options, Runtime, ShardingException};

/**
 * Counts connections: in total, for each host and for each shard. Who needs several gets all at once or waits for all, so that two who
 * need each other's connections never wait for one another. Who has waited longest is first; a later one may pass only when it needs
 * nothing that an earlier one waits for.
 *
 * @internal
 */
final class Gate
{
    private int $total = 0;
    /** @var array<string, int> */
    private array $perHost = [];
    /** @var array<string, int> */
    private array $perShard = [];
    /** @var array<int, array{needs: list<array{string, string}>, channel: Channel<true>}> */
    private array $waiting = [];
    private int $tickets = 0;

    public function __construct(private readonly Options $options) {}

    /**
     * @param list<array{string, string}> $needs host and shard of each connection
     * @throws ShardingException when they are more than may be at once, or are not free in time
     */
    public function take(array $needs): void
    {
        if ($this->waiting === [] && $this->fits($needs)) {
            $this->count($needs, 1);
            return;
        }
        if (!$this->fits($needs, empty: true)) {
            throw new ShardingException(\count($needs) . " connections at once are more than the limits allow (connections: {$this->options->connections},"
                . " connectionsPerHost: {$this->options->connectionsPerHost}, connectionsPerShard: {$this->options->connectionsPerShard}). Raise them, or ask fewer shards at a time.");
        }
        if (!Runtime::inCoroutine()) {
            throw new ShardingException("All connections are in use ({$this->total} in total; connections: {$this->options->connections}, connectionsPerHost:"
                . " {$this->options->connectionsPerHost}, connectionsPerShard: {$this->options->connectionsPerShard}), and only a coroutine can wait. Close results that are still open, or raise the limits.");
        }
        $ticket = ++$this->tickets;
        /** @var Channel<true> $channel */
        $channel = new Channel(1);
        $this->waiting[$ticket] = ['needs' => $needs, 'channel' => $channel];
        $this->admit();
        try {
            $channel->pop($this->options->waitSeconds);
        } catch (\Throwable $error) {
            if (isset($this->waiting[$ticket])) {
                unset($this->waiting[$ticket]);
                $this->admit();
            } else {
                $this->give($needs);
            }
            throw $error instanceof TimeoutException ? new ShardingException(\count($needs) . " connections were not free for {$this->options->waitSeconds} s (waitSeconds), and "
                . \count($this->waiting) . ' more wait. Use each for a shorter time, or raise the limits.', 0, $error) : $error;
        }
    }

    /** @param list<array{string, string}> $needs */
    public function give(array $needs): void
    {
        $this->count($needs, -1);
        $this->admit();
    }

    public function inUse(): int
    {
        return $this->total;
    }

    public function waiting(): int
    {
        return \count($this->waiting);
    }

    private function admit(): void
    {
        $reserved = [];
        foreach ($this->waiting as $ticket => ['needs' => $needs, 'channel' => $channel]) {
            if ($this->total >= $this->options->connections) {
                return;
            }
            $isBehind = false;
            foreach ($needs as [$host]) {
                $isBehind = $isBehind || isset($reserved[$host]);
            }
            if (!$isBehind && $this->fits($needs)) {
                $this->count($needs, 1);
                unset($this->waiting[$ticket]);
                $channel->push(true);
                continue;
            }
            if ($this->total + \count($needs) > $this->options->connections) {
                return;  // it waits for the total, which everybody needs
            }
            foreach ($needs as [$host]) {
                $reserved[$host] = true;
            }
        }
    }

    /** @param list<array{string, string}> $needs */
    private function fits(array $needs, bool $empty = false): bool
    {
        $hosts = $empty ? [] : $this->perHost;
        $shards = $empty ? [] : $this->perShard;
        foreach ($needs as [$host, $shard]) {
            $hosts[$host] = ($hosts[$host] ?? 0) + 1;
            $shards[$shard] = ($shards[$shard] ?? 0) + 1;
            if ($hosts[$host] > $this->options->connectionsPerHost || $shards[$shard] > $this->options->connectionsPerShard) {
                return false;
            }
        }
        return ($empty ? 0 : $this->total) + \count($needs) <= $this->options->connections;
    }

    /** @param list<array{string, string}> $needs */
    private function count(array $needs, int $step): void
    {
        foreach ($needs as [$host, $shard]) {
            $this->perHost[$host] = ($this->perHost[$host] ?? 0) + $step;
            $this->perShard[$shard] = ($this->perShard[$shard] ?? 0) + $step;
            $this->total += $step;
        }
    }
}
