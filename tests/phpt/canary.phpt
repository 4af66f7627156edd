--TEST--
Server::canary(): what it takes
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Mode, Server};

$server = new Server();
var_dump($server->canary() === $server, $server->canary(0.1, 0.001) === $server, $server->canary(3600, 0.5) === $server);
attempt('short', fn() => $server->canary(0.09));
attempt('long', fn() => $server->canary(3601));
attempt('NAN', fn() => $server->canary(NAN));
attempt('none', fn() => $server->canary(share: 0));
attempt('most', fn() => $server->canary(share: 0.51));
attempt('base', fn() => (new Server(mode: Mode::Base))->canary());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
ValueError: Sluice\Server::canary(): Argument #1 ($seconds) must be between 0.1 and 3600 seconds, 0.09 given
ValueError: Sluice\Server::canary(): Argument #1 ($seconds) must be between 0.1 and 3600 seconds, 3601 given
ValueError: Sluice\Server::canary(): Argument #1 ($seconds) must be between 0.1 and 3600 seconds, NAN given
ValueError: Sluice\Server::canary(): Argument #2 ($share) must be between 0.001 and 0.5, 0 given
ValueError: Sluice\Server::canary(): Argument #2 ($share) must be between 0.001 and 0.5, 0.51 given
Sluice\ServerException: Server::canary() is for process mode: in base mode the kernel chooses the worker of each connection
