<?php

declare(strict_types=1);

// The smallest page as frameworks answer it: php hello_frameworks.php <address> bare|psr15

use Nyholm\Psr7\Response as PsrResponse;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};
use Psr\Http\Server\RequestHandlerInterface;
use Sluice\Http\{Request, Response};
use Sluice\Psr\Psr15Handler;
use Sluice\Server;

require \dirname(__DIR__) . '/build/packages/vendor/autoload.php';

$handler = match ($argv[2]) {
    'bare' => fn (Request $request, Response $response) => $response->text('hello world'),
    'psr15' => new Psr15Handler(new class implements RequestHandlerInterface {
        public function handle(ServerRequestInterface $request): ResponseInterface
        {
            return new PsrResponse(200, ['Content-Type' => 'text/plain; charset=utf-8'], 'hello world');
        }
    }),
};
$server = new Server(workers: 1, reactors: 1);
$server->http($argv[1], $handler);
$server->run();
