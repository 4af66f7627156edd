<?php

declare(strict_types=1);

// For tests/e2e/observer/test_slow_requests.py: requests that wait for this and that.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Client, Request, Response};

$server = server();
$server->admin(address(1), getenv('TOKEN'));
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text('hello'));
$site->get('/sleep/{ms}', function (Request $request, Response $response): void {
    $response->write('first');
    usleep(1000 * (int) $request->parameter('ms'));
    $response->write('then');
    $response->end();
});
$site->get('/tasks', function (Request $request, Response $response): void {
    Coroutine\all(fn () => usleep(5000), fn () => usleep(5000));
    $response->text('done');
});
$site->get('/upstream', fn (Request $request, Response $response) => $response->text((new Client())->get('http://' . address() . '/sleep/20')->body()));
$site->get('/compute', function (Request $request, Response $response): void {
    for ($until = hrtime(true) + 20_000_000; hrtime(true) < $until;) {
    }
    $response->text('done');
});
$site->get('/fail', fn () => throw new \RuntimeException('as the test wants it'));
$site->get('/refuse', fn (Request $request, Response $response) => $response->status(503)->text('not now'));
$server->run();
