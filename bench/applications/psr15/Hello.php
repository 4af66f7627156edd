<?php

declare(strict_types=1);

namespace App;

use Nyholm\Psr7\Response;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};
use Psr\Http\Server\RequestHandlerInterface;

final class Hello implements RequestHandlerInterface
{
    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        if ($request->getUri()->getPath() === '/waits') {
            return new Response(200, [], (string) file_get_contents((string) getenv('UPSTREAM')));
        }
        return new Response(200, ['Content-Type' => 'text/plain; charset=utf-8', 'Content-Length' => '11'], 'hello world');
    }
}
