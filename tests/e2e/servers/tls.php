<?php

declare(strict_types=1);

// Listens with what the folder CERTIFICATES holds: one.pem and one.key, two.pem and two.key, ca.pem.
// Ports: HTTPS, plain HTTP, TLS lines, HTTPS for clients with a certificate.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Http, Limits, Listener, Tcp, Tls, TlsVersion};
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{address, report, server, worker};

$server = server(limits: new Limits(handshakeSeconds: 2.0, http: new Http\Limits(bodyBytes: 8 << 20, keepAliveSeconds: 30.0)));

// Relative to the working directory of this process, which the others need not share.
chdir(getenv('CERTIFICATES'));
$tls = new Tls('one.pem', 'one.key', names: ['*.second.example' => ['two.pem', 'two.key']]);

$page = function (Request $request, Response $response): void {
    match ($request->path()) {
        '/scheme' => $response->json(['scheme' => $request->scheme(), 'secure' => $request->isSecure()]),
        '/echo' => $response->header('content-type', 'application/octet-stream')->end($request->body()),
        '/big' => $response->end(str_repeat('0123456789abcdef', 65536 * 4)),
        '/stream' => (function () use ($response): void {
            for ($i = 0; $i < 32; $i++) {
                $response->write(str_repeat(chr(65 + $i), 65536));
            }
            $response->end();
        })(),
        '/worker' => $response->json(worker()),
        default => $response->text('hello'),
    };
};

$site = $server->http(new Listener(address(0), $tls), $page);
$site->webSocket('/echo', new class implements Sluice\WebSocket\Handler {
    public function open(Connection $who, Request $request): void
    {
        report('open', ['secure' => $request->isSecure(), 'scheme' => $request->scheme()]);
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send($data, $binary);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('close', ['code' => $code]);
    }
});
$server->http(address(1), $page);
$server->tcp(new Listener(address(2), new Tls('one.pem', 'one.key', minimumVersion: TlsVersion::V1_3)), Tcp\Framing::line("\n"), new class implements Tcp\Handler {
    public function open(Tcp\Connection $from): void
    {
        report('tcp-open');
        $from->send("welcome\n");
    }

    public function message(Tcp\Connection $from, string $data): void
    {
        $from->send(strtoupper($data) . "\n");
        if ($data === 'bye') {
            $from->close();
        }
    }

    public function close(Tcp\Connection $from): void
    {
        report('tcp-close');
    }
});
$server->http(new Listener(address(3), new Tls('one.pem', 'one.key', clientCa: 'ca.pem', requireClientCertificate: true)), $page);

$server->run();
