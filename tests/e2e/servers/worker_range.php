<?php

declare(strict_types=1);

// A request for /hold computes, or with ?waits=1 waits, for as long as there is a file HOLD.

require getenv('SUPPORT');

use Sluice\Http\{Options, Request, Response};

use function Sluice\EndToEnd\{address, report, server, stats};

$server = server(maxWorkers: 3);
$site = $server->http(address());
$hold = function (Request $request, Response $response): void {
    report('holds', ['pid' => getmypid()]);
    while (file_exists(getenv('HOLD'))) {
        clearstatcache();
        if ($request->query('waits') !== null) {
            usleep(1000);
        }
    }
    $response->text((string) getmypid());
};
$site->get('/hold', $hold);
$site->get('/one', $hold, new Options(concurrency: 1));
$site->get('/stats', fn(Request $request, Response $response) => $response->json(stats($server)));
$server->run();
