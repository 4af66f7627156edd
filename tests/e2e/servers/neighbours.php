<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Bodies, Options, Request, Response};
use Sluice\{Coroutine, Limits, Listener, TrustedProxies, WebSocket};

use function Sluice\EndToEnd\{address, report, server};

// A page that computes for as long as it is told, and others that a client may leave. The second port is for a proxy at 127.0.0.9.

$limits = getenv('COROUTINES') ? new Limits(coroutines: (int) getenv('COROUTINES'), pooledStacks: 1) : new Limits();
$server = server(limits: $limits);
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
$site->post('/streamed', function (Request $request, Response $response): void {
    report('reading');
    $response->json(strlen(stream_get_contents($request->bodyStream())));
}, new Options(bodies: Bodies::Stream));
$site->get('/huge', function (Request $request, Response $response): void {
    report('writing');
    for ($part = 0; $part < 50; $part++) {
        $response->write(str_repeat('x', 100_000));
    }
});
$server->http(new Listener(address(1), proxies: new TrustedProxies(['127.0.0.9'])), function (Request $request, Response $response): void {
    static $number = 0;
    ++$number;
    $until = hrtime(true) + 1000 * (int) $request->query('us', '0');
    while (hrtime(true) < $until);
    $response->json($number);
});
$site->webSocket('/ws', fn (WebSocket\Connection $who, string $data) => $who->send($data));
$server->run();
