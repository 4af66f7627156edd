<?php

declare(strict_types=1);

// /hold keeps the worker until a file is there, /slow for 2 ms, /wait suspends its handler for ever; each answer says the how manieth it is.

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\Limits;

use function Sluice\EndToEnd\{address, report, server};

$answered = 0;
$server = server(limits: new Limits(coroutines: (int) (getenv('COROUTINES') ?: 1000), killSeconds: 0));
$server->http(address(), function (Request $request, Response $response) use (&$answered): void {
    report($request->path());
    if ($request->path() === '/wait') {
        Coroutine\sleep(1_000_000);
    }
    while ($request->path() === '/hold' && !file_exists($request->query('until'))) {
        clearstatcache();
    }
    for ($until_ns = hrtime(true) + 2_000_000; $request->path() === '/slow' && hrtime(true) < $until_ns;);
    $response->json(++$answered);
});
$server->run();
