<?php

declare(strict_types=1);

// What bench/hello.php, bench/ws_sink.php and a page over mysqli do, as a program for Swoole: php swoole.php <address> process|base <port of MariaDB>
// It runs on packages/swoole or, where the extension swoole is loaded, on that.

use Swoole\Coroutine\MySQL;
use Swoole\Http\{Request, Response};
use Swoole\WebSocket\{Frame, Server};

if (!class_exists(Server::class, false)) {
    require __DIR__ . '/../packages/swoole/src/autoload.php';
}
[$host, $port] = explode(':', $argv[1]);
$server = new Server($host, (int) $port, $argv[2] === 'base' ? SWOOLE_BASE : SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'reactor_num' => 1, 'http_compression' => false, 'package_max_length' => 8 << 20]);
$received = [];
$echoes = [];
$server->on('open', function (Server $server, Request $request) use (&$received, &$echoes): void {
    $received[$request->fd] = [0, 0];
    $echoes[$request->fd] = $request->server['request_uri'] === '/echo';
});
$server->on('message', function (Server $server, Frame $frame) use (&$received, &$echoes): void {
    if ($echoes[$frame->fd]) {
        $server->push($frame->fd, $frame->data, $frame->opcode);
        return;
    }
    if ($frame->opcode === WEBSOCKET_OPCODE_TEXT) {
        [$messages, $bytes] = $received[$frame->fd];
        $server->push($frame->fd, json_encode(['messages' => $messages, 'bytes' => $bytes, 'worker' => getmypid()]));
        return;
    }
    $received[$frame->fd][0]++;
    $received[$frame->fd][1] += strlen($frame->data);
});
$server->on('close', function (Server $server, int $fd) use (&$received, &$echoes): void {
    unset($received[$fd], $echoes[$fd]);
});
$server->on('request', function (Request $request, Response $response) use ($argv): void {
    if ($request->server['request_uri'] !== '/tables') {
        $response->header('Content-Type', 'text/plain');
        $response->end('hello world');
        return;
    }
    $db = new MySQL();
    $db->connect(['host' => '127.0.0.1', 'port' => (int) $argv[3], 'user' => 'sluice', 'password' => 'secret', 'database' => 'test']);
    $response->end(json_encode($db->query('SHOW TABLES')));
    $db->close();
});
$server->start();
