<?php

declare(strict_types=1);

// Ports: HTTP, and HTTP behind a trusted proxy at 127.0.0.1.

require getenv('SUPPORT');

use Sluice\Http\{Limits, Options, Request, Response};
use Sluice\{Listener, TrustedProxies, WorkerStats};

use function Sluice\EndToEnd\{address, report, server, stats};

final class Here
{
    public static int $now = 0;
    public static int $most = 0;
}

$work = function (Request $request, Response $response): void {
    Here::$most = max(Here::$most, ++Here::$now);
    report('begun', ['name' => $request->query('name')]);
    try {
        usleep((int) ($request->query('us') ?? '20000'));
        while ($request->query('until') && !file_exists($request->query('until'))) {
            usleep(1000);
            clearstatcache();
        }
    } finally {
        --Here::$now;
    }
    if ($request->query('throw') !== null) {
        throw new Exception('thrown');
    }
    $response->json([Here::$most, getmypid()]);
};
$server = server();
$site = $server->http(address(), $work, new Options(concurrency: 2));
$site->get('/route', $work);
$site->get('/one', $work, new Options(concurrency: 1));
$site->get('/bounded', $work, new Options(concurrency: 1), new Limits(requestSeconds: 0.5));
$site->get('/stats', fn(Request $request, Response $response) => $response->json(stats($server)), new Options(concurrency: 1000));
$site->get('/waiting', function (Request $request, Response $response): void {
    $response->json(array_sum(array_column(WorkerStats::ofServer((int) $request->query('master')), 'waiting')));
}, new Options(concurrency: 1000));
$site->get('/any', $work, new Options(concurrency: 1000));
$site->get('/most', function (Request $request, Response $response): void {
    $response->json(Here::$most);
    Here::$most = 0;
}, new Options(concurrency: 100));
$server->http(new Listener(address(1), proxies: new TrustedProxies(['127.0.0.1'])), $work, new Options(concurrency: 1));
$server->run();
