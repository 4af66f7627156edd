<?php

declare(strict_types=1);

namespace Sluice\Laravel\Events;

use Illuminate\Foundation\Application;

/** An application has been booted in a worker, and is about to be kept as it is now for each of its requests; there is one for each request that the worker works on at a time. */
final class WorkerStarting
{
    public function __construct(
        public readonly Application $app,
    ) {}
}
