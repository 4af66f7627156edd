<?php

declare(strict_types=1);

// Options and limits of the server, of a site and of routes. Ports: a site of 1,000 bytes a body, with routes that differ; a
// site with nothing of its own; TCP lines of at most 50 bytes; TCP lines of the server's limits; a site that is strict with heads and
// connections; TCP lines for clients that read. UDP, on the ports of TCP lines: one datagram at a time; as many as the server's limits.

require getenv('SUPPORT');

use Sluice\Http\{Bodies, Compression, Limits, Options, Request, Response};
use Sluice\{Coroutine, Delivery, Dispatch, Http2, SlowClient, Tcp, Udp, WebSocket, Worker};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Sluice\Limits(http: new Limits(bodyBytes: 5000, formFields: 3), webSocket: new WebSocket\Limits(messageBytes: 500),
    tcp: new Tcp\Limits(messageBytes: 200)));
$length = fn (Request $request, Response $response) => $response->json(['bytes' => strlen($request->body()), 'fields' => count($request->formAll())]);
$waits = function (Request $request, Response $response): void {
    try {
        Coroutine\sleep(60.0);
    } finally {
        report('ended', ['path' => $request->path()]);
    }
};
$streams = function (Request $request, Response $response): void {
    report('begun');
    $response->json(strlen((string) stream_get_contents($request->bodyStream())));
};
$long = fn (Request $request, Response $response) => $response->text(str_repeat('long ', 1000));
$pid = fn (Request $request, Response $response) => $response->text((string) Worker::current()->pid);
$echo = fn (WebSocket\Connection $who, string $data) => $who->send((string) strlen($data));
// Sends 8 MB to the client that has asked, in pieces, and tells how much waited at most, how many were dropped and whether the client is still there.
$fills = function (WebSocket\Connection|Tcp\Connection $who, string $name): void {
    $most = $dropped = 0;
    for ($sent = 0; $sent < 800 && $who->isOpen(); ++$sent) {
        $dropped += $who->send(str_repeat('x', 9_999) . "\n") === Delivery::Dropped ? 1 : 0;
        $most = max($most, $who->queuedBytes());
    }
    report('filled', ['name' => $name, 'most' => $most, 'dropped' => $dropped, 'open' => $who->isOpen()]);
    while ($name === '/fills/little' && $who->isOpen()) {
        $who->send(str_repeat('x', 60_000));  // the kernel takes megabytes before anything waits here
        Coroutine\sleep(0.005);
    }
    report('cut', ['name' => $name]);
};
$lines = fn (Tcp\Connection $who, string $line) => $line === 'fill' ? $fills($who, $line) : $who->send(strlen($line) . "\n");

$site = $server->http(address(0), $length, new Options(compression: new Compression(minBytes: 0)), new Limits(bodyBytes: 1000), new Http2\Limits(concurrentStreams: 3));
$site->post('/long', $length, limits: new Limits(bodyBytes: 4 << 20, bodyFileBytes: 1 << 16));
$site->post('/fields', $length, limits: new Limits(formFields: 5));
$site->post('/streams', $streams, new Options(bodies: Bodies::Stream), new Limits(bodyBytes: 1 << 30));
$site->get('/hurries', $waits, limits: new Limits(requestSeconds: 0.1));
$site->post('/hasty', $length, limits: new Limits(bodySeconds: 0.2))->post('/hasty/stream', $streams, new Options(bodies: Bodies::Stream), new Limits(bodySeconds: 0.2));
$site->get('/cancelled', $waits);
$site->get('/goes-on', function (Request $request, Response $response): void {
    report('begun');
    Coroutine\sleep(0.2);
    report('went on');
}, new Options(cancelOnDisconnect: false));
$site->get('/compressed', $long);
$site->get('/plain', $long, new Options(compression: false));
$site->get('/sticky', $pid, new Options(Dispatch::Sticky))->get('/spread', $pid);
$site->webSocket('/short', $echo, limits: new WebSocket\Limits(messageBytes: 10, idleSeconds: 0.3));
$site->webSocket('/usual', $echo);
$server->http(address(1), $length);
$server->tcp(address(2), Tcp\Framing::line(), $lines, limits: new Tcp\Limits(messageBytes: 50, idleSeconds: 0.3));
$server->tcp(address(3), Tcp\Framing::line(), $lines);

$drop = new WebSocket\Options(slowClient: SlowClient::DropNewest);
$site->webSocket('/fills', $fills, $drop)->webSocket('/fills/little', $fills, $drop, new WebSocket\Limits(queuedBytes: 1 << 16, writeSeconds: 0.5));
$site->webSocket('/topics', $subscribes = function (WebSocket\Connection $who, string $count): void {
    $sent = 0;
    for ($number = 0; $number < (int) $count; ++$number) {
        $sent += $who->subscribe("topic $number") === Delivery::Sent ? 1 : 0;
        Coroutine\sleep(0.02);
    }
    $who->send((string) $sent);
})->webSocket('/topics/two', $subscribes, limits: new WebSocket\Limits(subscriptions: 2));
$server->tcp(address(5), Tcp\Framing::line(), $fills, new Tcp\Limits(highWaterBytes: 1 << 15, lowWaterBytes: 0, writeSeconds: 0.5));
$streamed = function (Request $request, Response $response): void {
    for ($sent = 0, $delivery = Delivery::Sent; $sent < 800 && $delivery !== Delivery::Closed; ++$sent) {
        $delivery = $response->write(str_repeat('x', 10_000));
    }
    report('written', ['name' => $request->path(), 'whole' => $delivery !== Delivery::Closed]);
};
$site->get('/streamed', $streamed);

$server->http(address(4), $length, limits: new Limits(writeSeconds: 0.5, highWaterBytes: 1 << 15, lowWaterBytes: 0, headBytes: 1000, headerFields: 5, headSeconds: 0.3, keepAliveSeconds: 0.4, keepAliveRequests: 3))
    ->get('/strictly', $streamed, new Options(cancelOnDisconnect: false));
$keeps = function (Udp\Peer $from, string $datagram): void {
    report('datagram', ['text' => $datagram]);
    Coroutine\sleep(1.0);
};
$server->udp(address(2), $keeps, new Udp\Limits(datagrams: 1));
$server->udp(address(3), $keeps);

$server->run();
