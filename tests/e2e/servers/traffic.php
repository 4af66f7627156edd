<?php

declare(strict_types=1);

// For tests/e2e/observer: everything that clients may do with a server, which tells of it at its admin listener. LIMITS: limits, as JSON. Ports: HTTP, the
// admin listener, TCP lines, HTTPS with CERTIFICATE, HTTP whose bodies are streamed. "hold PATH" as a message, and /hold?until=PATH, take until there is
// such a file.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Bodies, Options, Request, Response};
use Sluice\{Listener, Pool, PoolException, Tcp, Tls};
use Sluice\WebSocket\{Connection, Handshake};

$server = server(limits: limits(json_decode(getenv('LIMITS') ?: '{}', true, flags: JSON_THROW_ON_ERROR)));
$server->admin(address(1), getenv('TOKEN'));

$hold = function (string $until): void {
    report('held', ['until' => $until]);
    do {
        Coroutine\sleep(0.005);
        clearstatcache();
    } while (!is_file($until));
};
$pools = [
    'patient' => new Pool(fn () => new \stdClass(), max: 2, name: 'patient'),
    'impatient' => new Pool(fn () => new \stdClass(), max: 1, waitLimit: 0.0, name: 'impatient'),
    'nameless' => new Pool(fn () => new \stdClass()),
];
$page = function (Request $request, Response $response) use ($hold, $pools): void {
    if ($request->path() === '/pool') {
        try {
            $pools[$request->query('pool')]->use(fn () => $hold($request->query('until')));
            $response->text('used');
        } catch (PoolException $exception) {
            $response->status(503)->text($exception->getMessage());
        }
        return;
    }
    match ($request->path()) {
        '/hold' => $hold($request->query('until')),
        '/body' => strlen($request->body()),
        default => null,
    };
    match ($request->path()) {
        '/big' => $response->end(str_repeat('0123456789abcdef', (int) $request->query('bytes') >> 4)),
        '/file' => $response->sendFile($request->query('name')),
        default => $response->text('done'),
    };
};
$answer = function (Connection|Tcp\Connection $who, string $data) use ($hold): void {
    if (str_starts_with($data, 'hold ')) {
        $hold(substr($data, 5));
    } elseif (str_starts_with($data, 'join ')) {
        array_map($who->subscribe(...), explode(' ', substr($data, 5)));
    } elseif (str_starts_with($data, 'leave ')) {
        $who->unsubscribe(substr($data, 6));
    }
    $who->send($who instanceof Connection ? 'done' : "done\n");
};

$site = $server->http(address(), $page);
$site->webSocket('/echo', $answer);
$site->webSocket('/asks', $answer, handshake: function (Handshake $handshake) use ($hold): void {
    $handshake->attach(str_repeat('x', (int) ($handshake->request->query('bytes') ?? 0)));
    if (($until = $handshake->request->query('until')) !== null) {
        $hold($until);
    }
});
$server->tcp(address(2), Tcp\Framing::line("\n"), $answer);
if ($certificate = getenv('CERTIFICATE')) {
    $server->http(new Listener(address(3), new Tls("$certificate.pem", "$certificate.key")), $page);
    $server->http(address(4), $page, new Options(bodies: Bodies::Stream));
}
$server->run();
