<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Server\RequestHandlerInterface;
use Sluice\Http\{Handler, Request, Response};

/**
 * A PSR-15 application as the handler of a site or a route:
 *
 *     $server->http('127.0.0.1:8080', new Psr15Handler($application));
 *
 * It is asked many times at once, by coroutines that wait for one another's turns: it keeps nothing of a request in its
 * services. Parameters of the route are attributes of the request, and so is the server's own request, under its class.
 */
final class Psr15Handler implements Handler
{
    public function __construct(private readonly RequestHandlerInterface $application) {}

    public function handle(Request $request, Response $response): void
    {
        ResponseSender::send($this->application->handle(new ServerRequest($request)), $response);
    }
}
