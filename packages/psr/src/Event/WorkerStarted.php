<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Worker;

/** A worker has begun, and has not handled anything yet. */
final class WorkerStarted
{
    public function __construct(public readonly Worker $worker) {}
}
