<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Http\Request;

/** A request has come, and its handler is called next, in the same coroutine. */
final class RequestReceived
{
    public function __construct(public readonly Request $request) {}
}
