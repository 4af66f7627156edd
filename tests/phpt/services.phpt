--TEST--
Server::service() says what a service may be
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Mode, Server, Service};

$server = new Server(mode: Mode::Process, workers: 2);
$run = fn(Service $service) => null;
var_dump($server->service('queue', $run) === $server, Service::current(), Service::isStopping());
foreach ([['clock-1.a_B', $run, 2], ['queue', $run], ['', $run], ['two words', $run], [str_repeat('x', 65), $run], ['none', $run, 0], ['many', $run, 62],
    ['all', $run, 61], ['one', $run]] as $arguments) {
    attempt($arguments[0], fn() => $server->service(...$arguments));
}
attempt('no function', fn() => $server->service('no', 'no_such_function'));
attempt('base', fn() => (new Server(mode: Mode::Base, workers: 127))->service('few', $run, 3));
attempt('base', fn() => (new Server(mode: Mode::Base, workers: 127))->service('few', $run, 2));
?>
--EXPECT--
bool(true)
NULL
bool(false)
clock-1.a_B: fine
ValueError: Sluice\Server::service(): Argument #1 ($name) must be a name of its own: there is a service "queue" already
ValueError: Sluice\Server::service(): Argument #1 ($name) must be of 1 to 64 letters, digits, ".", "_" and "-", "" given
ValueError: Sluice\Server::service(): Argument #1 ($name) must be of 1 to 64 letters, digits, ".", "_" and "-", "two words" given
ValueError: Sluice\Server::service(): Argument #1 ($name) must be of 1 to 64 letters, digits, ".", "_" and "-", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" given
ValueError: Sluice\Server::service(): Argument #3 ($processes) must be between 1 and 61, which is what other services leave, 0 given
ValueError: Sluice\Server::service(): Argument #3 ($processes) must be between 1 and 61, which is what other services leave, 62 given
all: fine
ValueError: Sluice\Server::service(): Argument #3 ($processes) must be between 1 and 0, which is what other services leave, 1 given
TypeError: Sluice\Server::service(): Argument #2 ($run) must be a valid callback, function "no_such_function" not found or invalid function name
ValueError: Sluice\Server::service(): Argument #3 ($processes) must be between 1 and 2, which is what other services leave, 3 given
base: fine
