<?php

declare(strict_types=1);

namespace Sluice\Laravel\Events;

use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;

/** All of a request is done; the application becomes what it was before it. */
final class RequestTerminated
{
    public function __construct(
        public readonly Application $app,
        public readonly Request $request,
        public readonly Response $response,
    ) {}
}
