<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Shared\Table;

/** The processes of a pool's workers. Each process of the pool knows those that were forked after it, too. */
final class PoolPids
{
    /** How long a worker that is being forked has no process yet. */
    private const LONGEST_SECONDS = 2.0;

    private readonly Table $pids;

    public function __construct()
    {
        $this->pids = new Table(Names::next('pool'), 1 << 20);
    }

    public function set(int $number, int $pid): void
    {
        $this->pids->set((string) $number, $pid);
    }

    public function of(int $number): ?int
    {
        $deadline = \microtime(true) + self::LONGEST_SECONDS;
        while (!\is_int($pid = $this->pids->get((string) $number))) {
            if (\microtime(true) >= $deadline) {
                return null;
            }
            \usleep(1000);
        }
        return $pid;
    }
}
