<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Server\RequestHandlerInterface;
use Sluice\Http\{Handler, Request, Response};

/**
 * A PSR-15 request handler as the handler of a site or a route:
 *
 *     $server->http('127.0.0.1:8080', new Psr15Handler($application));
 *
 * Many coroutines call the application at a time, so its services must not keep the state of a request. The parameters of the route
 * are attributes of the PSR-7 request. The server's own request is an attribute with its class name.
 */
final class Psr15Handler implements Handler
{
    public function __construct(private readonly RequestHandlerInterface $application) {}

    /** Answers a request by the application's response. */
    public function handle(Request $request, Response $response): void
    {
        ResponseSender::send($this->application->handle(new ServerRequest($request)), $response);
    }
}
