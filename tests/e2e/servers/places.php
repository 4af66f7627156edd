<?php

declare(strict_types=1);

// Options and limits of the server, of a site and of routes. Ports: a site of 1,000 bytes a body, with routes that differ; a
// site with nothing of its own; TCP lines of at most 50 bytes; TCP lines of the server's limits; a site that is strict with heads and
// connections. UDP, on the ports of TCP lines: one datagram at a time; as many as the server's limits.

require getenv('SUPPORT');

use Sluice\Http\{Bodies, Compression, Limits, Options, Request, Response};
use Sluice\{Coroutine, Dispatch, Http2, Tcp, Udp, WebSocket, Worker};

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
$lines = fn (Tcp\Connection $who, string $line) => $who->send(strlen($line) . "\n");

$site = $server->http(address(0), $length, new Options(compression: new Compression(minBytes: 0)), new Limits(bodyBytes: 1000), new Http2\Limits(concurrentStreams: 3));
$site->post('/long', $length, limits: new Limits(bodyBytes: 4 << 20, bodyFileBytes: 1 << 16));
$site->post('/fields', $length, limits: new Limits(formFields: 5));
$site->post('/streams', $streams, new Options(bodies: Bodies::Stream), new Limits(bodyBytes: 1 << 30));
$site->get('/hurries', $waits, limits: new Limits(requestSeconds: 0.1));
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

$server->http(address(4), $length, limits: new Limits(headBytes: 1000, headerFields: 5, headSeconds: 0.3, keepAliveSeconds: 0.4, keepAliveRequests: 3));
$keeps = function (Udp\Peer $from, string $datagram): void {
    report('datagram', ['text' => $datagram]);
    Coroutine\sleep(1.0);
};
$server->udp(address(2), $keeps, new Udp\Limits(datagrams: 1));
$server->udp(address(3), $keeps);

$server->run();
