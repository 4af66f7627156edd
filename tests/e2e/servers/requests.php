<?php

declare(strict_types=1);

// How the servers of several protocols answer the same questions about a request.

namespace Sluice\EndToEnd;

use Sluice\Http\{Request, Response};

/** What a request tells of itself, whichever protocol brought it. */
function inspected(Request $request): array
{
    return [
        'method' => $request->method(),
        'target' => $request->target(),
        'path' => $request->path(),
        'protocol' => $request->protocol(),
        'host' => $request->host(),
        'peer' => $request->peer(),
        'headers' => $request->headers(),
        'cookies' => $request->cookies(),
        'serverParams' => $request->serverParams(),
    ];
}

/** Whether the request was for a page that all these servers have: then it has been answered. */
function answers_common(Request $request, Response $response): bool
{
    switch ($request->path()) {
        case '/hello':
            $response->text('hello ' . $request->query('name', 'world'));
            return true;
        case '/echo':
            $response->header('content-type', 'application/octet-stream')->end($request->body());
            return true;
        case '/hash':
            $response->json(['bytes' => strlen($request->body()), 'sha256' => hash('sha256', $request->body())]);
            return true;
        default:
            return false;
    }
}
