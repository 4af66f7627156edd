<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Worker;

/** A worker has handled its last message. */
final class WorkerStopped
{
    public function __construct(public readonly Worker $worker) {}
}
