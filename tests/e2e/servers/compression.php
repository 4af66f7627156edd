<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, WebSocket};
use Sluice\WebSocket\{Compression, Connection, Handler};

use function Sluice\EndToEnd\{address, server, stats, worker};

// Compression has room for three takeover connections in each reactor; in base mode each worker has a reactor.
$processes = getenv('MODE') === 'process' ? (int) getenv('REACTORS') : (int) getenv('WORKERS');
$server = server(limits: new Limits(compressionBytes: $processes * 2 * 3 * 315 * 1024, webSocket: new WebSocket\Limits(messageBytes: 1 << 20)));

$site = $server->http(address(), function (Request $request, Response $response) use ($server): void {
    match ($request->path()) {
        '/stats' => $response->json(stats($server) + worker()),
        '/publish' => [$server->publish($request->query('topic'), str_repeat($request->query('data'), (int) $request->query('times', '1'))), $response->text('published')],
        default => $response->status(404)->text('no such page'),
    };
});

$echo = fn (Connection $who, string $data, bool $binary) => $who->send($data, $binary);
$room = fn () => new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->subscribe($request->query('topic', 'room'));
        $who->send('welcome');
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send($data, $binary);
    }

    public function close(Connection $who, int $code, string $reason): void {}
};

$site->webSocket('/off', $echo);
$site->webSocket('/on', $echo, new WebSocket\Options(compression: new Compression()));
$site->webSocket('/takeover', $echo, new WebSocket\Options(compression: new Compression(serverTakeover: true, clientTakeover: true)));
$site->webSocket('/small', $echo, new WebSocket\Options(compression: new Compression(serverTakeover: true, clientTakeover: true, serverWindowBits: 9, clientWindowBits: 10, level: 9, minBytes: 0)));
$site->webSocket('/room', $room(), new WebSocket\Options(compression: new Compression()));
$site->webSocket('/room/takeover', $room(), new WebSocket\Options(compression: new Compression(serverTakeover: true, clientTakeover: true)));
$site->webSocket('/room/off', $room());

$server->run();
