<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\{Limits, WebSocket};
use Sluice\WebSocket\{Compression, Connection, Handler};

use function Sluice\EndToEnd\{address, server};

$server = server(limits: new Limits(webSocket: new WebSocket\Limits(messageBytes: 4 << 20)));

$site = $server->http(address(), function (Request $request, Response $response): void {
    $response->json(Coroutine\map(range(1, 30), function (int $number): string {
        $client = WebSocket\Client::connect('ws://' . address() . '/echo');
        $client->send("message $number");
        $echo = $client->receive(10)->data;
        $client->close();
        return $echo;
    }));
});
$site->webSocket('/echo', new class implements Handler {
    public function open(Connection $who, Request $request): void {}
    public function message(Connection $who, string $data, bool $binary): void { $who->send($data, $binary); }
    public function close(Connection $who, int $code, string $reason): void {}
}, new WebSocket\Options(compression: new Compression()));

$server->run();
