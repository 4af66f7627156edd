<?php

declare(strict_types=1);

// /hold keeps the worker until a file is there, /slow and a message "slow" for 2 ms, /wait suspends its handler for ever; each answer says the
// how manieth it is.

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\Limits;
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{address, report, server};

function work(): void
{
    for ($until_ns = hrtime(true) + 2_000_000; hrtime(true) < $until_ns;);
}

$answered = 0;
$server = server(limits: new Limits(coroutines: (int) (getenv('COROUTINES') ?: 1000), killSeconds: 0));
$site = $server->http(address(), function (Request $request, Response $response) use (&$answered): void {
    report($request->path());
    if ($request->path() === '/wait') {
        Coroutine\sleep(1_000_000);
    }
    while ($request->path() === '/hold' && !file_exists($request->query('until'))) {
        clearstatcache();
    }
    if ($request->path() === '/slow') {
        work();
    }
    $response->json(++$answered);
});
$site->webSocket('/ws', function (Connection $who, string $data) use (&$answered): void {
    if ($data === 'slow') {
        work();
    }
    $who->send((string) ++$answered);
});
$server->run();
