<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Worker;

/** A worker has handled its last message, and its coroutines have ended. */
final class WorkerStopped
{
    public function __construct(public readonly Worker $worker) {}
}
