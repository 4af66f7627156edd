<?php

declare(strict_types=1);

// Behind proxies at 127.0.0.1. Ports: HTTP with X-Forwarded-*, HTTP with Forwarded, HTTP with the PROXY protocol,
// HTTPS with it, TCP with it, HTTP that believes nobody. The folder FOLDER gets a Unix socket with X-Forwarded-*.

require getenv('SUPPORT');

use Sluice\Http\{AccessLog, LogFormat, Options, Request, Response};
use Sluice\{Limits, Listener, ProxyFields, Tcp, Tls, TrustedProxies, WebSocket};
use Sluice\WebSocket\{Connection, Origins};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(handshakeSeconds: 1.0));

$page = fn (Request $request, Response $response) => $response->json([
    'peer' => $request->peer(),
    'clientAddress' => $request->clientAddress(),
    'connectionPeer' => $request->connectionPeer(),
    'scheme' => $request->scheme(),
    'isSecure' => $request->isSecure(),
    'isConnectionSecure' => $request->isConnectionSecure(),
    'host' => $request->host(),
    'field' => $request->header('host'),
]);
$socket = new class implements Sluice\WebSocket\Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->send(json_encode(['peer' => $who->peer(), 'request' => $request->peer(), 'through' => $request->connectionPeer()]));
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send($data);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
    }
};

$trusted = ['127.0.0.1', '10.0.0.0/8', 'unix'];
$tls = new Tls('one.pem', 'one.key');
$x = new TrustedProxies($trusted);
$server->http(new Listener(address(0), proxies: $x), $page)->webSocket('/socket', $socket, new WebSocket\Options(origins: new Origins()));
$server->http(new Listener(address(1), proxies: new TrustedProxies($trusted, ProxyFields::Forwarded)), $page);
$server->http(new Listener(address(2), proxies: new TrustedProxies($trusted, proxyProtocol: true)), $page);
$server->http(new Listener(address(3), $tls, new TrustedProxies($trusted, ProxyFields::None, proxyProtocol: true)), $page);
$server->tcp(new Listener(address(4), proxies: new TrustedProxies($trusted, proxyProtocol: true)), Tcp\Framing::line("\n"), new class implements Tcp\Handler {
    public function open(Tcp\Connection $from): void
    {
        $from->send("hello {$from->peer()}\n");
    }

    public function message(Tcp\Connection $from, string $data): void
    {
        report('line', ['line' => $data]);
        $from->send("$data\n");
    }

    public function close(Tcp\Connection $from): void
    {
    }
});
$server->http(address(5), $page);
$logged = new Options(accessLog: new AccessLog(getenv('FOLDER') . '/access.log', LogFormat::Common));
$server->http(new Listener('unix:' . getenv('FOLDER') . '/socket', proxies: $x), $page, $logged);

$server->run();
