<?php

declare(strict_types=1);

// PHPStan looks at this file without the extension, and has to find the three mistakes.

use Sluice\{Coroutine, Pool, Server};
use Sluice\Coroutine\Channel;
use Sluice\Http\{Client, Request, Response};

/** @param Channel<int> $numbers */
function numbers(Channel $numbers): void
{
    $numbers->push('text'); // a mistake
}

/** @param Pool<PDO> $pool */
function ask(Pool $pool): int
{
    return $pool->use(fn(PDO $pdo): string => 'not an int'); // a mistake
}

$server = new Server(workers: 2);
$server->http('127.0.0.1:8080', function (Request $request, Response $response): void {
    [$a, $b] = Coroutine\all(fn(): int => 1, fn(): int => 2);
    $response->json([$a + $b, (new Client())->get('http://localhost/')->status]);
    $response->txt('a'); // a mistake
});
$server->run();
