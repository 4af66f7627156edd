<?php

declare(strict_types=1);

namespace Sluice\Laravel\Events;

use Illuminate\Foundation\Application;
use Illuminate\Http\Request;

/** A request has come, and goes to the kernel next. */
final class RequestReceived
{
    public function __construct(
        public readonly Application $app,
        public readonly Request $request,
    ) {}
}
