--TEST--
Sluice\Server::readiness() takes names of their own, and times in a range
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';

$server = new Sluice\Server(workers: 1);
$check = fn () => true;
var_dump($server->readiness('database', $check) === $server);
attempt('database.2', fn () => $server->readiness('database.2', 'strlen', 0.001, 3600));
attempt('empty', fn () => $server->readiness('', $check));
attempt('blank', fn () => $server->readiness('a b', $check));
attempt('long', fn () => $server->readiness(str_repeat('x', 64), $check));
attempt('twice', fn () => $server->readiness('database', $check));
attempt('ours', fn () => $server->readiness('workers', $check));
attempt('no function', fn () => $server->readiness('x', 'nothing'));
attempt('timeout', fn () => $server->readiness('x', $check, 0));
attempt('timeout', fn () => $server->readiness('x', $check, 61));
attempt('interval', fn () => $server->readiness('x', $check, interval: 0.05));
attempt('interval', fn () => $server->readiness('x', $check, interval: NAN));
foreach (range(3, 16) as $number) {
    $server->readiness("check$number", $check);
}
attempt('many', fn () => $server->readiness('more', $check));
?>
--EXPECT--
bool(true)
database.2: fine
ValueError: Sluice\Server::readiness(): Argument #1 ($name) must be of 1 to 63 letters, digits, ".", "_" and "-", "" given
ValueError: Sluice\Server::readiness(): Argument #1 ($name) must be of 1 to 63 letters, digits, ".", "_" and "-", "a b" given
ValueError: Sluice\Server::readiness(): Argument #1 ($name) must be of 1 to 63 letters, digits, ".", "_" and "-", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" given
ValueError: Sluice\Server::readiness(): Argument #1 ($name) must be a name of its own: there is a check "database" already
ValueError: Sluice\Server::readiness(): Argument #1 ($name) must be a name of its own: there is a check "workers" already
TypeError: Sluice\Server::readiness(): Argument #2 ($check) must be a valid callback, function "nothing" not found or invalid function name
ValueError: Sluice\Server::readiness(): Argument #3 ($timeout) must be between 0.001 and 60 seconds, 0 given
ValueError: Sluice\Server::readiness(): Argument #3 ($timeout) must be between 0.001 and 60 seconds, 61 given
ValueError: Sluice\Server::readiness(): Argument #4 ($interval) must be between 0.1 and 3600 seconds, 0.05 given
ValueError: Sluice\Server::readiness(): Argument #4 ($interval) must be between 0.1 and 3600 seconds, NAN given
ValueError: Sluice\Server::readiness(): Argument #1 ($name) must be that of one of at most 16 checks: "more" is one more
