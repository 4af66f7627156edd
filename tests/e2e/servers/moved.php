<?php

declare(strict_types=1);

// Tells all that a handler sees of a message. Ports: HTTP behind trusted proxies, and UDP; HTTPS; a script as php-fpm has them; TCP;
// HTTP with the PROXY protocol. CERTIFICATES is a folder with one.pem, one.key and ca.pem.

require getenv('SUPPORT');

use Sluice\Http\{Bodies, Limits, Options, Request, Response, Script, UploadedFile};
use Sluice\{Coroutine, Listener, Tcp, Tls, TrustedProxies, Udp, WebSocket};
use Sluice\WebSocket\{Connection, Handshake};

use function Sluice\EndToEnd\{address, report, server, worker};

/** A moment is not a message's: when a worker has begun it. */
function without_times(array $values): array
{
    return array_diff_key($values, ['REQUEST_TIME' => 0, 'REQUEST_TIME_FLOAT' => 0]);
}

function head_of(Request $request): array
{
    return [
        'method' => $request->method(), 'target' => $request->target(), 'path' => $request->path(), 'route' => $request->route(),
        'parameters' => $request->parameters(), 'protocol' => $request->protocol(), 'host' => $request->host(), 'peer' => $request->peer(),
        'clientAddress' => $request->clientAddress(), 'connectionPeer' => $request->connectionPeer(), 'isSecure' => $request->isSecure(),
        'isConnectionSecure' => $request->isConnectionSecure(), 'scheme' => $request->scheme(), 'queryString' => $request->queryString(),
        'queryAll' => $request->queryAll(), 'headers' => $request->headers(), 'cookies' => $request->cookies(),
        'prefers' => $request->prefers(['text/html', 'application/json']), 'language' => $request->prefersLanguage(['en', 'de']),
        'serverParams' => without_times($request->serverParams()),
    ];
}

function file_of(UploadedFile $file): array
{
    return [$file->name, $file->type, $file->size, md5($file->contents()), md5(stream_get_contents($file->stream()))];
}

function seen(Request $request): array
{
    $files = [];
    foreach ($request->files() as $name => $file) {
        $files[$name] = is_array($file) ? array_map(file_of(...), $file) : file_of($file);
    }
    return head_of($request) + ['form' => $request->formAll(), 'files' => $files, 'size' => strlen($request->body()), 'body' => md5($request->body())];
}

function tell(array $seen): string
{
    return json_encode(['worker' => worker()['pid'], 'seen' => $seen], JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
}

$page = function (Request $request, Response $response): void {
    $response->jsonText(tell(seen($request)));
};
$alone = function (Request $request, Response $response) use ($page): void {
    if ($request->query('holds')) {
        report('holds', ['pid' => getmypid()]);
        Coroutine\sleep(600);
    }
    $page($request, $response);
};
$stream = function (Request $request, Response $response): void {
    $context = hash_init('md5');
    $size = hash_update_stream($context, $request->bodyStream());
    $response->jsonText(tell(head_of($request) + ['size' => $size, 'body' => hash_final($context)]));
};
$wait = function (): void {
    try {
        Coroutine\sleep(600);
    } finally {
        report('cancelled', ['pid' => getmypid()]);
    }
};
$spin = function (): void {
    report('spins', ['pid' => getmypid()]);
    while (true) {
    }
};

$server = server();
$limits = new Limits(bodyBytes: 8 << 20, bodyFileBytes: 200_000);
$sites = [
    $server->http(new Listener(address(0), proxies: new TrustedProxies(['127.0.0.1'])), $page, limits: $limits),
    $server->http(new Listener(address(1), new Tls(getenv('CERTIFICATES') . '/one.pem', getenv('CERTIFICATES') . '/one.key', clientCa: getenv('CERTIFICATES') . '/ca.pem')), $page, limits: $limits),
    $server->http(new Listener(address(4), proxies: new TrustedProxies(['127.0.0.1'], proxyProtocol: true)), $page, limits: $limits),
];
foreach ($sites as $site) {
    $site->any('/rooms/{id}/{rest...}', $page);
    $site->any('/stream', $stream, new Options(bodies: Bodies::Stream));
    $site->any('/alone', $alone, new Options(concurrency: 1));
    $site->get('/spin', $spin);
    $site->get('/waits', $wait);
    $site->webSocket('/socket/{id}', new class implements WebSocket\Handler {
        public function open(Connection $who, Request $request): void
        {
            $who->send(tell(['request' => head_of($request)] + $this->connection($who)));
        }

        public function message(Connection $who, string $data, bool $binary): void
        {
            if ($data === 'holds') {
                report('holds', ['pid' => getmypid()]);
                Coroutine\sleep(600);
            }
            $who->send(tell(['size' => strlen($data), 'data' => md5($data), 'binary' => $binary] + $this->connection($who)));
        }

        public function close(Connection $who, int $code, string $reason): void
        {
            report('closed', ['pid' => getmypid(), 'code' => $code, 'reason' => $reason] + $this->connection($who));
        }

        private function connection(Connection $who): array
        {
            return ['id' => $who->id, 'peer' => $who->peer(), 'parameters' => $who->parameters(), 'protocol' => $who->protocol(), 'data' => $who->data(), 'open' => $who->isOpen()];
        }
    }, new WebSocket\Options(protocols: ['a', 'b']), handshake: function (Handshake $handshake): void {
        $handshake->attach(tell(['request' => head_of($handshake->request), 'protocols' => $handshake->protocols()]));
    });
}
$server->http(address(2), new Script(__DIR__ . '/moved/page.php'), limits: $limits);
$server->tcp(address(3), Tcp\Framing::line("\n"), function (Tcp\Connection $who, string $line): void {
    $who->send(tell(['id' => $who->id, 'peer' => $who->peer(), 'line' => $line, 'data' => $who->data()]) . "\n");
});
$server->udp(address(0), fn (Udp\Peer $from, string $datagram) => $from->send(tell(['from' => $from->address(), 'datagram' => $datagram])));
$server->run();
