<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Http\Request;

/** A request has arrived in the worker. Its handler is called after the listeners, in the coroutine in which they run. */
final class RequestReceived
{
    public function __construct(public readonly Request $request) {}
}
