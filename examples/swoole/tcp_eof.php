<?php
// Lines over TCP: each package ends with CR LF, which the server cuts.

use Swoole\Server;

$server = new Server('127.0.0.1', (int) ($argv[1] ?? 9504), SWOOLE_PROCESS);
$server->set([
    'worker_num' => 2,
    'open_eof_split' => true,
    'package_eof' => "\r\n",
    'package_max_length' => 1024 * 1024,
]);
$server->on('connect', function (Server $server, int $fd) {
    $server->send($fd, "welcome\r\n");
});
$server->on('receive', function (Server $server, int $fd, int $reactor, string $data) {
    $server->send($fd, 'got ' . strlen(rtrim($data, "\r\n")) . " bytes\r\n");
});
$server->on('close', function (Server $server, int $fd) {});
$server->start();
