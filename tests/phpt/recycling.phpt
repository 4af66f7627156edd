--TEST--
Server::recycle() says what a lifetime may be
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Server;

$server = new Server();
var_dump($server->recycle() === $server);
foreach ([['requests' => 1], ['requests' => 10 ** 15], ['seconds' => 1], ['seconds' => 1e9], ['memoryBytes' => 1 << 20], ['memoryBytes' => 1 << 40],
    ['requests' => 0], ['requests' => 10 ** 15 + 1], ['seconds' => 0.5], ['seconds' => 1e10], ['seconds' => NAN], ['memoryBytes' => 1000],
    ['memoryBytes' => (1 << 40) + 1], ['requests' => 'many']] as $arguments) {
    attempt(key($arguments), fn() => $server->recycle(...$arguments));
}
?>
--EXPECT--
bool(true)
requests: fine
requests: fine
seconds: fine
seconds: fine
memoryBytes: fine
memoryBytes: fine
ValueError: Sluice\Server::recycle(): Argument #1 ($requests) must be between 1 and 1000000000000000, 0 given
ValueError: Sluice\Server::recycle(): Argument #1 ($requests) must be between 1 and 1000000000000000, 1000000000000001 given
ValueError: Sluice\Server::recycle(): Argument #2 ($seconds) must be between 1 and 1e9 seconds, 0.5 given
ValueError: Sluice\Server::recycle(): Argument #2 ($seconds) must be between 1 and 1e9 seconds, 10000000000 given
ValueError: Sluice\Server::recycle(): Argument #2 ($seconds) must be between 1 and 1e9 seconds, NAN given
ValueError: Sluice\Server::recycle(): Argument #3 ($memoryBytes) must be between 1048576 and 1099511627776, 1000 given
ValueError: Sluice\Server::recycle(): Argument #3 ($memoryBytes) must be between 1048576 and 1099511627776, 1099511627777 given
TypeError: Sluice\Server::recycle(): Argument #1 ($requests) must be of type ?int, string given
