<?php

declare(strict_types=1);

namespace Sluice\Revolt\Tests;

use Amp\{Cancellation, Parallel\Worker\Task, Sync\Channel};

/**
 * A task that another process runs; the process finds the class by its name.
 *
 * @implements Task<int, never, never>
 */
final class Square implements Task
{
    public function __construct(private readonly int $number) {}

    public function run(Channel $channel, Cancellation $cancellation): int
    {
        return $this->number ** 2;
    }
}
