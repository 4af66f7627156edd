<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\WebSocket;

use function Sluice\EndToEnd\{address, server};

// The origin of the clients that are cancelled: slow enough for each of a client's steps to wait.

$server = server();
$site = $server->http(address(), function (Request $request, Response $response): void {
    usleep(1000);
    $response->write('one ');
    usleep(2000);
    $response->write('two ');
    usleep(2000);
    $response->end($request->body());
});
$site->webSocket('/echo', new class implements WebSocket\Handler {
    public function open(WebSocket\Connection $who, Request $request): void
    {
    }
    public function message(WebSocket\Connection $who, string $data, bool $binary): void
    {
        usleep(1000);
        $who->send($data);
    }
    public function close(WebSocket\Connection $who, int $code, string $reason): void
    {
    }
});
$server->run();
