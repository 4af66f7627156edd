<?php
// Packages over TCP that begin with their length: two bytes of a type, four of the length of what follows.

use Swoole\Server;

$server = new Server('127.0.0.1', (int) ($argv[1] ?? 9505), SWOOLE_PROCESS);
$server->set([
    'worker_num' => 2,
    'open_length_check' => true,
    'package_length_type' => 'N',
    'package_length_offset' => 2,
    'package_body_offset' => 6,
    'package_max_length' => 1024 * 1024,
]);
$server->on('receive', function (Server $server, int $fd, int $reactor, string $data) {
    ['type' => $type, 'length' => $length] = unpack('ntype/Nlength', $data);
    $answer = "type $type, $length bytes, " . md5(substr($data, 6));
    $server->send($fd, pack('nN', $type, strlen($answer)) . $answer);
});
$server->start();
