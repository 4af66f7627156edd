<?php

declare(strict_types=1);

namespace Sluice\App\Top;

use Sluice\WorkerStats;

/** A process of a server at one moment. */
final class Process
{
    /**
     * @param string $name such as `worker 0`, `master`, `service queue 1`
     * @param int $kib of resident memory
     * @param float $cpuSeconds that it has used since it began
     */
    public function __construct(
        public readonly int $pid,
        public readonly string $name,
        public readonly int $kib,
        public readonly float $cpuSeconds,
        public readonly ?WorkerStats $worker = null,
    ) {}
}
