<?php

declare(strict_types=1);

// WebSockets that say nothing at /idle, requests that wait for ever elsewhere: php memory.php <address> process|base

use Sluice\{Coroutine, Limits, Mode, Server};
use Sluice\Http2\Limits as Http2Limits;
use Sluice\Http\{Request, Response};
use Sluice\WebSocket\{Connection, Handler};

$mode = Mode::from($argv[2]);
$server = new Server(
    mode: $mode,
    workers: 1,
    reactors: $mode === Mode::Process ? 1 : null,
    limits: new Limits(connections: 16_384, http2: new Http2Limits(concurrentStreams: 100)),
);
$site = $server->http($argv[1], fn (Request $request, Response $response) => Coroutine\sleep(600));
$site->get('/nothing', fn (Request $request, Response $response) => $response->end());
$site->webSocket('/idle', new class implements Handler {
    public function open(Connection $who, Request $request): void {}

    public function message(Connection $who, string $data, bool $binary): void {}

    public function close(Connection $who, int $code, string $reason): void {}
});
$server->run();
