<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Http\{Request, Response};

/** The handler of a request has returned or thrown. A response that the handler has kept may not have ended yet. */
final class RequestHandled
{
    public function __construct(
        public readonly Request $request,
        public readonly Response $response,
        /** Seconds since the first onRequest() callback was called for the request. */
        public readonly float $seconds,
    ) {}
}
