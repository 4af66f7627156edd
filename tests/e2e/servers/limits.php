<?php

declare(strict_types=1);

// A server with the limits that the environment's LIMITS names, as JSON. Ports: HTTP, TCP lines, HTTP behind proxies,
// HTTP whose bodies are streamed. WebSockets at /ws (echo; "flood N BYTES" is answered by N messages, or fewer when one is
// dropped), /waits (the same, but the flood waits for its client), /topics (subscribes to each line of what it is sent),
// /attach (as many bytes as a message says), /slow-handshake and /deflate.

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{BadRequest, Bodies, Options, Request, Response};
use Sluice\{Delivery, Http, Listener, SlowClient, Tcp, TrustedProxies, WebSocket, Worker};
use Sluice\WebSocket\{Compression, Connection, Handshake};

use function Sluice\EndToEnd\{address, limits, report, server, stats};

$server = server(limits: limits(json_decode(getenv('LIMITS'), true, flags: JSON_THROW_ON_ERROR)));

$kept = [];
$turns = 0;
$page = function (Request $request, Response $response) use ($server, &$kept, &$turns): void {
    switch ($request->path()) {
        case '/stats':
            $response->json(stats($server) + ['lent' => Worker::lentBytes()]);
            return;
        case '/bytes':
            $response->json(strlen($request->body()));
            return;
        case '/keep':
            $kept[] = $request->body();
            $response->json(array_map(fn (string $body) => [strlen($body), md5($body)], $kept));
            return;
        case '/cycle':
            $cycle = (object) ['body' => $request->body()];
            $cycle->self = $cycle;
            $response->text('left to the collector');
            return;
        case '/form':
            $response->json(count($request->formAll()) + count($request->files()));
            return;
        case '/big':
            $response->end(str_repeat('0123456789abcdef', (int) $request->query('bytes') >> 4));
            return;
        case '/file':
            $response->sendFile($request->query('name'));
            return;
        case '/sleep':
            report('asleep');
            Coroutine\sleep((float) $request->query('seconds'));
            $response->text('awake');
            return;
        case '/turn':
            $response->json(++$turns);
            return;
        case '/hold':
            // The handler does not suspend.
            report('holds');
            do {
                clearstatcache();
            } while (!is_file($request->query('until')));
            $response->text('let go');
            return;
        case '/begin':
            // Reads its streamed body when the test says so.
            report('begun', ['name' => $request->query('until')]);
            do {
                Coroutine\sleep(0.005);
                clearstatcache();
            } while (!is_file($request->query('until')));
            $response->json(strlen(stream_get_contents($request->bodyStream())));
            return;
        case '/spawn':
            $spawned = 0;
            try {
                while ($spawned < 100) {
                    Coroutine\spawn(fn () => Coroutine\sleep(0.01));
                    $spawned++;
                }
            } catch (Coroutine\LimitException) {
            }
            $response->json($spawned);
            return;
        default:
            $response->text('OK');
    }
};
$echo = function (Connection $who, string $data, bool $binary): void {
    if (!str_starts_with($data, 'flood ')) {
        $who->send($data, $binary);
        return;
    }
    [, $most, $bytes] = explode(' ', $data);
    $made = ['Sent' => 0, 'Queued' => 0, 'Dropped' => 0, 'Closed' => 0];
    for ($i = 0; $i < (int) $most && $made['Dropped'] + $made['Closed'] === 0; $i++) {
        $message = str_pad((string) $i, (int) $bytes, '.');
        $made[$who->send($message)->name]++;
        // The reactor of base mode has its turn when nothing runs here.
        Coroutine\sleep(0);
    }
    report('flood', $made + ['who' => $who->id]);
};
// A send has waited when another coroutine has had a turn meanwhile.
$wait = function (Connection $who, string $data) use (&$turns): void {
    [, $count, $bytes] = explode(' ', $data);
    $told = ['waits' => 0, 'most' => 0, 'woken' => 0, 'delivered' => 0];
    report('flooding');
    for ($i = 0; $i < (int) $count; $i++) {
        $before = $turns;
        $delivery = $who->send(str_pad((string) $i, (int) $bytes, '.'));
        $queued = $who->queuedBytes();
        $told['delivered'] += (int) ($delivery === Delivery::Sent || $delivery === Delivery::Queued);
        $told['most'] = max($told['most'], $queued);
        if ($turns !== $before) {
            $told['waits']++;
            $told['woken'] = max($told['woken'], $queued);
        }
    }
    report('flooded', $told);
};

$site = $server->http(address(0), $page);
$site->webSocket('/ws', $echo);
$site->webSocket('/waits', $wait, new WebSocket\Options(slowClient: SlowClient::Wait));
$site->webSocket('/topics', function (Connection $who, string $data): void {
    $made = array_map(fn (string $topic) => $who->subscribe($topic)->name, explode("\n", $data));
    $who->send(json_encode(['made' => $made, 'topics' => count($who->topics(60.0))]));
});
$site->webSocket('/attach', function (Connection $who, string $data): void {
    try {
        $who->send($who->attach(str_repeat('x', (int) $data))->name);
    } catch (ValueError $error) {
        $who->send($error->getMessage());
    }
});
$site->webSocket('/deflate', $echo, new WebSocket\Options(compression: new Compression(minBytes: 0)));
$site->webSocket('/closes', fn (Connection $who, string $data) => $who->close(1000, 'enough'));
$site->webSocket('/slow-handshake', $echo, handshake: function (Handshake $handshake): void {
    report('asked');
    Coroutine\sleep(1000);
});
$server->tcp(address(1), Tcp\Framing::line("\n"), fn (Tcp\Connection $from, string $line) => $from->send("$line\n"));
$server->http(new Listener(address(2), proxies: new TrustedProxies(['127.0.0.1'], proxyProtocol: true)), $page);
$site->get('/encoded', function (Request $request, Response $response): void {
    $response->header('Content-Type', 'text/plain')->write('begun');
    Coroutine\sleep(1000);
}, new Options(compression: new Http\Compression()));
$server->http(address(3), $page, new Options(bodies: Bodies::Stream));

$server->run();
