<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, server};

$kept = [];
$server = server()->recycle(...json_decode(getenv('RECYCLE'), true));
$server->http(address(), function (Request $request, Response $response) use (&$kept): void {
    if ($request->path() === '/keep') {
        $kept[] = str_repeat('x', 100_000);
    }
    if ($request->path() === '/garbage') {
        $cycle = [str_repeat('x', 100_000)];
        $cycle[] = &$cycle;
    }
    usleep(random_int(0, 3000));
    $response->text((string) getmypid());
});
$server->run();
