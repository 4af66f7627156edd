--TEST--
Server::runAs(), log() and crashReports() say what they take
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{LogFormat, LogLevel, Server};

$server = new Server();
var_dump($server->runAs('daemon')->log()->crashReports(sys_get_temp_dir()) === $server);
foreach ([['daemon', null, 0], ['daemon', 'nogroup', 0777], ['no-such-user'], [''], ["da\0emon"], ['daemon', 'no-such-group'],
    ['daemon', null, -1], ['daemon', null, 01000], [[]]] as $number => $arguments) {
    attempt("runAs $number", fn() => $server->runAs(...$arguments));
}
foreach ([[LogFormat::Json, LogLevel::Error], [LogFormat::Text], ['json'], [LogFormat::Json, 'error']] as $number => $arguments) {
    attempt("log $number", fn() => $server->log(...$arguments));
}
foreach (['/', '/no/such/folder', __FILE__, ''] as $folder) {
    attempt("reports in $folder", fn() => $server->crashReports($folder));
}
?>
--EXPECTF--
bool(true)
runAs 0: fine
runAs 1: fine
ValueError: Sluice\Server::runAs(): Argument #1 ($user) must be the name of a user of this system, "no-such-user" given
ValueError: Sluice\Server::runAs(): Argument #1 ($user) must be the name of a user of this system, "" given
ValueError: Sluice\Server::runAs(): Argument #1 ($user) must not contain any null bytes
ValueError: Sluice\Server::runAs(): Argument #2 ($group) must be the name of a group of this system, "no-such-group" given
ValueError: Sluice\Server::runAs(): Argument #3 ($umask) must be between 0 and 0777, -1 given
ValueError: Sluice\Server::runAs(): Argument #3 ($umask) must be between 0 and 0777, 01000 given
TypeError: Sluice\Server::runAs(): Argument #1 ($user) must be of type string, array given
log 0: fine
log 1: fine
TypeError: Sluice\Server::log(): Argument #1 ($format) must be of type Sluice\LogFormat, string given
TypeError: Sluice\Server::log(): Argument #2 ($least) must be of type Sluice\LogLevel, string given
reports in /: fine
ValueError: %s
ValueError: %s
ValueError: %s
