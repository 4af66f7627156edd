<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, WebSocket};
use Sluice\WebSocket\{Connection, Handler, Handshake, Heartbeat, Options, Origins, PongHandler};

use function Sluice\EndToEnd\{address, report, server, worker};

$server = server(limits: new Limits(handshakes: 8, webSocket: new WebSocket\Limits(handshakeSeconds: 1.5)));

$site = $server->http(address(), function (Request $request, Response $response): void {
    $response->text('a page');
});

final class Tell implements Handler
{
    public function open(Connection $who, Request $request): void
    {
        $who->send(json_encode(['id' => $who->id, 'protocol' => $who->protocol(), 'path' => $request->path()] + worker()));
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send($data, $binary);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('close', ['id' => $who->id, 'code' => $code, 'reason' => $reason]);
    }
}

$site->webSocket('/plain', new Tell());
$site->webSocket('/protocols', new Tell(), new Options(['chat.v2', 'chat.v1']));
$site->webSocket('/origins', new Tell(), new Options(origins: new Origins(['https://example.com', 'http://*.example.org:8080'])));
$site->webSocket('/strict', new Tell(), new Options(origins: new Origins(sameOrigin: false, withoutOrigin: false)));

// Does what the query says.
$site->webSocket('/asks', new Tell(), new Options(['chat.v2', 'chat.v1']), handshake: function (Handshake $handshake): void {
    $request = $handshake->request;
    report('asked', worker() + ['offered' => $handshake->protocols()]);
    if ($request->query('sleep') !== null) {
        usleep(1000 * (int) $request->query('sleep'));
    }
    if ($request->query('protocol') !== null) {
        $handshake->protocol($request->query('protocol'));
    }
    if ($request->query('set') !== null) {
        $handshake->header('X-Set', $request->query('set'));
    }
    match ($request->query('do')) {
        'refuse' => $handshake->refuse(),
        'login' => $handshake->header('WWW-Authenticate', 'Basic realm="x"')->refuse(401, 'who are you?'),
        'json' => $handshake->header('Content-Type', 'application/json')->refuse(429, '{}'),
        'redirect' => $handshake->header('Location', '/plain')->refuse(307),
        'throw' => throw new RuntimeException('cannot decide'),
        'twice' => [$handshake->refuse(404), $handshake->refuse(403)],
        'die' => posix_kill(getmypid(), SIGKILL),
        'exit' => exit(),
        'bad' => report('bad', ['errors' => array_map(attempt(...), [
            fn () => $handshake->header('Sec-WebSocket-Accept', 'x'),
            fn () => $handshake->header('connection', 'x'),
            fn () => $handshake->header('X', "a\r\nb"),
            fn () => $handshake->protocol('unknown'),
            fn () => $handshake->protocol('chat.v1'),
            fn () => $handshake->refuse(200),
        ])]),
        default => null,
    };
});

function attempt(callable $what): string
{
    try {
        $what();
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    }
    return 'fine';
}

$site->webSocket('/beats', new class implements PongHandler {
    public function open(Connection $who, Request $request): void
    {
        $who->send((string) $who->id);
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send(match ($data) {
            'ping' => $who->ping('mine')->name,
            'round trip' => json_encode($who->roundTripSeconds()),
            default => $data,
        });
    }

    public function pong(Connection $who, float $roundTripSeconds, string $data): void
    {
        report('pong', ['id' => $who->id, 'seconds' => $roundTripSeconds, 'data' => $data, 'last' => $who->roundTripSeconds()]);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('close', ['id' => $who->id, 'code' => $code, 'reason' => $reason]);
    }
}, new Options(heartbeat: new Heartbeat(everySeconds: 0.2, timeoutSeconds: 0.5)));

$server->run();
