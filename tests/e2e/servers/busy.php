<?php

declare(strict_types=1);

// Does everything that a worker tells a reactor, for helpers/busy_clients.py. Its workers may be killed at any store to shared
// memory (tools/shared_stores.c).

require getenv('SUPPORT');

use Sluice\{Coroutine, Http, Limits, Server, WebSocket, Worker};
use Sluice\Http\{Request, Response};
use Sluice\Tcp\Framing;
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{address, server, stats};

// A reload changes what the file CHANGES says, which may also be broken.
$changes = getenv('CHANGES') ? require getenv('CHANGES') : [];

// Under load many workers in a row may die before one comes to a request: its client says how long that may take.
$server = server(limits: new Limits(
    arenaBytes: 8 << 20, ringBytes: 512 << 10, outBytes: 1 << 20,
    http: new Http\Limits(...($changes['limits'] ?? []), bodyFileBytes: 65536, requestSeconds: 0), webSocket: new WebSocket\Limits(messageBytes: 1 << 20),
));
$server->onWorkerStart(function (): void {
    putenv('SLUICE_KILL_HERE=1');
});

/** Reports what has begun, once for each time. */
function begun(string $id): void
{
    file_put_contents(getenv('BEGUN'), "$id " . getmypid() . "\n", FILE_APPEND);
}

/** The worker that is asked may be killed before it answers. */
function subscribers(Server $server): string
{
    try {
        return (string) $server->subscribers('room', 0.2);
    } catch (Coroutine\TimeoutException) {
        return 'unknown';
    }
}

$site = $server->http(address(0), function (Request $request, Response $response) use ($server, $changes): void {
    $id = $request->query('id', '');
    match ($request->path()) {
        '/version' => $response->json($changes + ['methods' => class_exists('Deployed', false) ? get_class_methods('Deployed') : []]),
        '/stats' => $response->json(stats($server)),
        '/small' => (function () use ($id, $response): void {
            begun($id);
            $response->text($id);
        })(),
        '/waits' => (function () use ($id, $response): void {
            begun($id);
            Coroutine\sleep(0.003);
            $response->text($id);
        })(),
        '/large' => (function () use ($id, $request, $response): void {
            begun($id);
            $response->text($request->body() . $request->body());
        })(),
        // PHP holds the body longer than its handler runs.
        '/keep' => (function () use ($id, $request, $response): void {
            static $kept = [];
            begun($id);
            $kept[] = $request->body();
            $kept = array_slice($kept, -2);
            $response->text($id);
        })(),
        '/file' => (function () use ($id, $request, $response): void {
            begun($id);
            $response->text(md5($request->body()));
        })(),
        '/pieces' => (function () use ($id, $response): void {
            begun($id);
            foreach (range(1, 5) as $piece) {
                $response->write("$id:$piece;");
                Coroutine\sleep(0.001);
            }
            $response->end('end');
        })(),
        '/sent' => (function () use ($id, $response): void {
            begun($id);
            $response->header('x-id', $id)->sendFile(__FILE__);
        })(),
    };
});
$site->webSocket('/echo', function (Connection $who, string $data) use ($server): void {
    [$id, $what] = explode(' ', $data);
    begun($id);
    match ($what) {
        'echo' => $who->send($data),
        'wait' => [Coroutine\sleep(0.002), $who->send($data)],
        'room' => [$who->subscribe('room'), $who->publish('room', $data), $who->unsubscribe('room')],
        'topics' => [$who->subscribe("topic-$id"), $who->send("$id " . implode(',', $who->topics())), $who->unsubscribe("topic-$id")],
        'count' => $who->send("$id " . subscribers($server)),
        'ping' => [$who->ping($id), $who->send($data)],
        default => $who->send($data),
    };
});
if (isset($changes['port'])) {
    $server->http("127.0.0.1:{$changes['port']}", fn (Request $request, Response $response) => $response->json($changes));
}
$server->tcp(address(1), Framing::line(), function (\Sluice\Tcp\Connection $who, string $data): void {
    begun($data);
    $who->send("$data\n");
});

$server->run();
