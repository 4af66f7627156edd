<?php

declare(strict_types=1);

// For tests/e2e/observer: an HTTP site with an admin listener, which the environment describes.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

$server = server();
$server->admin(getenv('ADMIN') ?: address(1), getenv('TOKEN') ?: null);
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text('hello'));
$site->get('/items/{id}', fn (Request $request, Response $response) => $response->text('item'));
$site->post('/items/{id}', fn (Request $request, Response $response) => $response->status(201)->text('made'));
$site->get('/missing', fn (Request $request, Response $response) => $response->status(404)->text('missing'));
$site->get('/fail', fn () => throw new \RuntimeException('as the test wants it'));
$site->get('/slow', function (Request $request, Response $response): void {
    \Sluice\Coroutine\sleep(0.06);
    $response->text('slow');
});
$site->get('/log', function (Request $request, Response $response): void {
    for ($lines = 0; $lines < 500; $lines++) {
        error_log('again and again');
    }
    $response->text('logged');
});
$site->get('/die', fn () => posix_kill(getmypid(), SIGKILL));
$site->get('/spin', function (): void {
    report('spins');
    while (true) {
    }
});
$server->run();
