<?php

declare(strict_types=1);

// Routes; each answers with what it knows of itself. Ports: a site that has a handler for the rest, and one that has none. A
// reload finds the routes that the file which ROUTES names has then, as JSON: {"GET": ["/path", ...], ...}, and the first
// word of their answers as "release".

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\WebSocket\{Connection, Handler, Handshake};
use Sluice\{Http, Limits, Worker};

use function Sluice\EndToEnd\{address, report, server};

$routes = json_decode(file_get_contents(getenv('ROUTES')), true, flags: JSON_THROW_ON_ERROR);
['release' => $release] = $routes;
$server = server(limits: new Limits(arenaBytes: $routes['arenaBytes'] ?? 64 << 20));
$limits = new Http\Limits(bodyBytes: $routes['bodyBytes'] ?? 1000, bodyFileBytes: $routes['bodyBytes'] ?? null);
unset($routes['release'], $routes['arenaBytes'], $routes['bodyBytes']);

// Each path has a handler of its own, so that a test sees which one has answered.
$tells = fn (?string $handler) => fn (Request $request, Response $response) => $response->json([
    'release' => $release,
    'handler' => $handler,
    'route' => $request->route(),
    'parameters' => $request->parameters(),
    'method' => $request->method(),
    'body' => strlen($request->body()),
    'pid' => Worker::current()->pid,
]);
$tell = $tells(null);
$server->onRequest(fn (Request $request) => report('request', ['route' => $request->route(), 'path' => $request->path()]));

$site = $server->http(address(), $tell);
$strict = $server->http(address(1));
foreach ($routes as $method => $paths) {
    foreach ($paths as $path) {
        $site->route($method, $path, $tells($path));
        $strict->route($method, $path, $tells($path));
    }
}
$strict->get('/users/{id}', $tell)->post('/users', $tell)->put('/users/{id}', $tell)->patch('/users/{id}', $tell)
    ->delete('/users/{id}', $tell)->get('/users/me', $tell)->get('/files/{path...}', $tell)->any('/any/{what}', $tell);
$strict->post('/limited', $tell, limits: $limits);
$strict->route('OPTIONS', '/cors', $tell)->get('/cors', $tell);
$strict->get('/spin', function (): void {
    report('spinning');
    for (;;);
});
$strict->get('/users/{id}/broken', fn () => throw new RuntimeException('broken'));
$strict->get('/die', fn () => posix_kill(getmypid(), SIGKILL));
$strict->get('/unknown', fn (Request $request, Response $response) => $response->text($request->parameter('id')));
$strict->webSocket('/rooms/{room}/{seat}', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->send(json_encode(['opened' => $request->parameters(), 'route' => $request->route()]));
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send(json_encode([$who->parameter('room'), $who->parameters(), getmypid()]));
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('closed', ['room' => $who->parameter('room')]);
    }
}, handshake: fn (Handshake $handshake) => $handshake->request->parameter('room') === 'closed' ? $handshake->refuse(403) : null);
$strict->webSocket('/plain', function (Connection $who, string $data): void {
    try {
        $who->parameter('room');
    } catch (ValueError $error) {
        $who->send($error->getMessage());
    }
});

$server->run();
