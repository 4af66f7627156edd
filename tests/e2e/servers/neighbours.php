<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, WebSocket};

use function Sluice\EndToEnd\{address, server};

// A page that computes for as long as it is told, and others that a client may leave.

$server = server(workers: 2);
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text('here'));
$site->get('/compute', function (Request $request, Response $response): void {
    $until = hrtime(true) + 1000 * (int) $request->query('us', '1000');
    while (hrtime(true) < $until);
    $response->text('computed');
});
$site->get('/long', fn (Request $request, Response $response) => $response->end(str_repeat('x', 200_000)));
$site->get('/slow', function (Request $request, Response $response): void {
    Coroutine\sleep(1000);
    $response->text('slow');
});
$site->get('/events', function (Request $request, Response $response): void {
    $events = $response->events();
    $events->send('first');
    Coroutine\sleep(1000);
});
$site->post('/bytes', fn (Request $request, Response $response) => $response->json(strlen($request->body())));
$site->webSocket('/ws', fn (WebSocket\Connection $who, string $data) => $who->send($data));
$server->run();
