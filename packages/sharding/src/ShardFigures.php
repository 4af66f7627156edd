<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Counts of one shard. @internal */
final class ShardFigures
{
    public int $queries = 0;
    public int $errors = 0;
    public int $rows = 0;
    public int $failovers = 0;
    /** @var array<int, float> seconds of the last queries, in no order */
    public array $durations = [];

    public function p99(): float
    {
        $sorted = $this->durations;
        \sort($sorted);
        return $sorted[(int) \floor((\count($sorted) - 1) * 0.99)] ?? 0.0;
    }
}
