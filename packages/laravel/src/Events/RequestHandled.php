<?php

declare(strict_types=1);

namespace Sluice\Laravel\Events;

use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;

/** The response is on its way; middleware is to terminate yet. */
final class RequestHandled
{
    public function __construct(
        public readonly Application $app,
        public readonly Request $request,
        public readonly Response $response,
    ) {}
}
