<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Worker;

/** A worker has started. Its first message comes after the listeners have returned. */
final class WorkerStarted
{
    public function __construct(public readonly Worker $worker) {}
}
