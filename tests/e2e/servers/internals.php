<?php

declare(strict_types=1);

// What the pages of docs/internals follow through the code.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, server};

$server = server();

$site = $server->http(address(), function (Request $request, Response $response): void {
    if ($request->path() === '/ask') {
        static $origin;
        $origin ??= stream_socket_client('tcp://127.0.0.1:' . $request->query('port'));
        $response->text('it said ' . fgets($origin));
        return;
    }
    $response->text('hello ' . $request->query('name', 'world'));
});

$site->webSocket('/chat', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->subscribe('room');
        $who->send('welcome');
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $binary ? $who->send($data, binary: true) : $who->publish('room', $data);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
    }
});

$server->run();
