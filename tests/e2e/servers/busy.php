<?php

declare(strict_types=1);

// Does everything that a worker tells a reactor, for helpers/busy_server.py. Its workers, services and processes for one request may
// be killed at any store to shared memory (tools/shared_stores.c). Ports: HTTP, lines, TLS, lines and HTTP behind a proxy; the first
// port of lines is one of datagrams, too.

require getenv('SUPPORT');

use Sluice\{Coroutine, Http, Limits, Listener, Server, Service, Tls, TrustedProxies, Udp, WebSocket};
use Sluice\Http\{Bodies, Compression, Options, Request, Response};
use Sluice\Shared\{Counter, Table};
use Sluice\Tcp\Framing;
use Sluice\WebSocket\{Connection, Handler, Handshake};

use function Sluice\EndToEnd\{address, report, server, stats};

// A reload changes what the file CHANGES says, which may also be broken.
$changes = getenv('CHANGES') ? require getenv('CHANGES') : [];

// Under load many workers in a row may die before one comes to a request or a handshake: its client says how long that may take.
const PATIENCE_S = 120.0;
$server = server(limits: new Limits(
    arenaBytes: 8 << 20, ringBytes: 512 << 10, outBytes: 1 << 20, connectionsPerAddress: 1000, stallSeconds: 0.05,
    http: new Http\Limits(...($changes['limits'] ?? []), bodyFileBytes: 65536, headSeconds: PATIENCE_S, bodySeconds: PATIENCE_S, requestSeconds: 0),
    webSocket: new WebSocket\Limits(messageBytes: 1 << 20, handshakeSeconds: PATIENCE_S),
    udp: new Udp\Limits(datagrams: 16),
));
if (getenv('RECYCLE')) {
    $server->recycle(requests: (int) getenv('RECYCLE'));
}
// Mapped under names by which shared_stores.c knows the server's memory.
$table = new Table('sluice-counts', 1 << 20);
$counter = new Counter('sluice-counter');
$last = new Counter('sluice-last');
$ticks = new Counter('sluice-ticks');

/** Reports what has begun, once for each time. */
function begun(string $id): void
{
    file_put_contents(getenv('BEGUN'), "$id " . getmypid() . "\n", FILE_APPEND);
}

/** The worker that is asked may be killed before it answers. */
function asked(callable $question): string
{
    try {
        return (string) $question();
    } catch (Coroutine\TimeoutException) {
        return 'unknown';
    }
}

/** Whether all that is shared does what it should. */
function counted(string $id, Table $table, Counter $counter, Counter $last): bool
{
    $last->set($counter->add());
    $last->compareAndSet($last->get(), 0);
    $table->increment('counted');
    $table->set("id-$id", str_repeat($id, 20));
    usleep(1000);
    return $table->get("id-$id") === str_repeat($id, 20) && $table->remove("id-$id");
}

$page = function (Request $request, Response $response) use ($server, $changes, $table, $counter, $last): void {
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
        '/counted' => (function () use ($id, $response, $table, $counter, $last): void {
            begun($id);
            $response->text(counted($id, $table, $counter, $last) ? $id : 'another value');
        })(),
        '/count' => $response->json([
            'counted' => $table->get('counted', 0), 'added' => $counter->get(), 'ticks' => $table->get('ticks', 0), 'entries' => count($table),
        ]),
        '/events' => (function () use ($id, $request, $response, $server): void {
            begun($id);
            $events = $response->events();
            $events->send('first');
            $events->subscribe("events-$id", 'events');
            $server->publish("events-$id", $id);
        })(),
        '/publish' => [$server->publish("events-$id", $id), $response->text('published')],
    };
};
$site = $server->http(address(0), $page);
$site->post('/streamed', function (Request $request, Response $response): void {
    begun($request->query('id', ''));
    if ($request->query('whole') !== null) {
        $request->receiveBody();
    }
    $hash = hash_init('md5');
    hash_update_stream($hash, $request->bodyStream());
    $response->text(hash_final($hash));
}, new Options(bodies: Bodies::Stream));
$site->get('/zipped', function (Request $request, Response $response): void {
    begun($id = $request->query('id', ''));
    $response->text(str_repeat($id, 5000));
}, new Options(compression: new Compression()));
$site->post('/process', function (Request $request, Response $response) use ($table, $counter, $last): void {
    begun($id = $request->query('id', ''));
    $response->text(counted($id, $table, $counter, $last) ? $id . strlen($request->body()) : 'another value');
}, new Options(processes: 2));
$message = function (Connection $who, string $data) use ($server): void {
    [$id, $what] = explode(' ', $data);
    // Its own, for who has subscribed stays a subscriber when the worker dies.
    $room = "room-{$who->id}";
    begun($id);
    match ($what) {
        'echo' => $who->send($data),
        'wait' => [Coroutine\sleep(0.002), $who->send($data)],
        'room' => [$who->subscribe($room), $who->publish($room, $data), $who->unsubscribe($room)],
        'topics' => [$who->subscribe("topic-$id"), $who->send("$id " . implode(',', $who->topics())), $who->unsubscribe("topic-$id")],
        'wide' => [$who->subscribe($room), $who->publish($room, "$id " . str_repeat('w', 40000)), $who->unsubscribe($room)],
        'count' => $who->send("$id " . asked(fn () => $server->subscribers($room, 0.2))),
        'list' => $who->send("$id " . asked(fn () => count($server->listSubscribers($room, timeoutSeconds: 0.2)))),
        'attach' => $who->send("$id " . asked(fn () => $who->attach(str_repeat($id, 60), 0.2)->name) . $who->data()),
        'ticks' => [$who->subscribe('ticks'), $who->send($data)],
        'ping' => [$who->ping($id), $who->send($data)],
        default => $who->send($data),
    };
};
$site->webSocket('/echo', $message);
$site->webSocket('/zip/{name}', $message, new WebSocket\Options(compression: new WebSocket\Compression(serverTakeover: true, clientTakeover: true, minBytes: 0)));
$site->webSocket('/opened', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        begun($id = $request->query('id', ''));
        $who->send("$id {$who->data()}");
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send($data);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        begun("{$who->data()}-closed");
    }
}, handshake: fn (Handshake $handshake) => $handshake->attach($handshake->request->query('id', '')));
if (isset($changes['port'])) {
    $server->http("127.0.0.1:{$changes['port']}", fn (Request $request, Response $response) => $response->json($changes));
}
$line = function (\Sluice\Tcp\Connection $who, string $data): void {
    begun($data);
    asked(fn () => $who->attach($data, 0.2)->name);
    $who->send("$data\n");
};
$server->tcp(address(1), Framing::line(), $line);
$proxies = new TrustedProxies(['127.0.0.1'], proxyProtocol: true);
$server->tcp(new Listener(address(3), proxies: $proxies), Framing::line(), $line);
$server->http(new Listener(address(4), proxies: $proxies), $page);
$server->udp(address(1), function (Udp\Peer $who, string $data): void {
    begun($data);
    if (str_ends_with($data, '.holds')) {
        // Longer than stallSeconds.
        for ($until = hrtime(true) + 100_000_000; hrtime(true) < $until;);
    }
    $who->send($data);
});
$server->http(new Listener(address(2), new Tls(getenv('CERTIFICATE') . '.pem', getenv('CERTIFICATE') . '.key')), $page);
$server->service('ticker', function (Service $service) use ($server, $table, $ticks): void {
    report('service start', ['id' => $service->id]);
    // One that ends within a second is started ever more slowly.
    $service->wait(1.0);
    while ($service->wait(0.1)) {
        begun($tick = "tick-$service->id-{$ticks->add()}");
        $table->increment('ticks');
        // Long ones stand in another memory than short ones; too many would be dropped, as their client is slow.
        $server->publish('ticks', $tick . str_repeat(' and so on', random_int(1, 10) === 1 ? 2000 : 0));
        begun("$tick-told");
        asked(fn () => $server->subscribers('ticks', 0.2));
    }
}, (int) getenv('TICKERS'));

$server->run();
