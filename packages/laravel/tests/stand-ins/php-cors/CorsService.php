<?php

declare(strict_types=1);

namespace Fruitcake\Cors;

use Symfony\Component\HttpFoundation\{Request, Response};

/** Lets everybody in, as Laravel's default configuration does. */
final class CorsService
{
    /** @param array<mixed> $options */
    public function setOptions(array $options): void {}

    public function isPreflightRequest(Request $request): bool
    {
        return $request->getMethod() === 'OPTIONS' && $request->headers->has('Access-Control-Request-Method');
    }

    public function handlePreflightRequest(Request $request): Response
    {
        return $this->addActualRequestHeaders(new Response('', 204), $request);
    }

    public function varyHeader(Response $response, string $header): Response
    {
        return $response->setVary($header, false);
    }

    public function addActualRequestHeaders(Response $response, Request $request): Response
    {
        $response->headers->set('Access-Control-Allow-Origin', '*');
        return $response;
    }
}
