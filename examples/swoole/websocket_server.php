<?php
// A WebSocket server that counts what it receives, and says so after as many messages as the client has announced.
// websocket_client.php is its client.

use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

$server = new Server('127.0.0.1', (int) ($argv[1] ?? 9502), SWOOLE_BASE);
$server->set(['worker_num' => 1, 'package_max_length' => 10 * 1024 * 1024]);
$counts = [];
$server->on('message', function (Server $server, Frame $frame) use (&$counts) {
    if (str_starts_with($frame->data, 'messages:')) {
        $counts[$frame->fd] = [(int) substr($frame->data, 9), 0, 0];
        return;
    }
    [$left, $messages, $bytes] = $counts[$frame->fd];
    $counts[$frame->fd] = [$left - 1, $messages + 1, $bytes + strlen($frame->data)];
    if ($left === 1) {
        [, $messages, $bytes] = $counts[$frame->fd];
        $server->push($frame->fd, json_encode(['messages' => $messages, 'bytes' => $bytes]));
    }
});
$server->on('close', function (Server $server, int $fd) use (&$counts) {
    unset($counts[$fd]);
});
$server->start();
