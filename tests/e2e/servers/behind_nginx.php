<?php

declare(strict_types=1);

// What a real nginx stands in front of, by a Unix socket: SOCKET. The port is for the harness alone.

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Limits, Request, Response};
use Sluice\WebSocket\Connection;
use Sluice\{Listener, TrustedProxies};

use function Sluice\EndToEnd\{address, report, server};

$server = server();
$server->http(address(), fn (Request $request, Response $response) => $response->text('up'));
$site = $server->http(new Listener('unix:' . getenv('SOCKET'), proxies: new TrustedProxies(['unix']), socketMode: 0666));
$site->get('/', fn (Request $request, Response $response) => $response->text("{$request->clientAddress()} by {$request->scheme()} at {$request->host()}"));
$site->post('/upload', fn (Request $request, Response $response) => $response->json(strlen($request->body())), limits: new Limits(bodyBytes: 8 << 20));
$site->get('/pieces', function (Request $request, Response $response): void {
    $response->write("first\n");
    // The client has to have it before there is another.
    while (!file_exists(getenv('SOCKET') . '.seen')) {
        Coroutine\sleep(0.005);
    }
    $response->end("second\n");
});
$site->webSocket('/echo', fn (Connection $who, string $data) => $who->send("{$who->peer()} says $data"));
$server->run();
