--TEST--
Server: each option is checked when it is built, and the error names it, the value and what is allowed
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Limits, Mode, Server};

chdir(__DIR__);
attempt('defaults', fn() => new Server());
attempt('all', fn() => new Server(Mode::Base, 128, 8, new Limits(), 'x.pid', sys_get_temp_dir() . '/x.log'));
attempt('workers', fn() => new Server(workers: 1));
attempt('workers', fn() => new Server(workers: 0));
attempt('workers', fn() => new Server(workers: 129));
attempt('maxWorkers', fn() => new Server(workers: 2, maxWorkers: 128));
attempt('maxWorkers', fn() => new Server(Mode::Base, workers: 2, maxWorkers: 2));
attempt('maxWorkers', fn() => new Server(workers: 2, maxWorkers: 1));
attempt('maxWorkers', fn() => new Server(workers: 2, maxWorkers: 129));
attempt('maxWorkers', fn() => new Server(Mode::Base, workers: 2, maxWorkers: 3));
attempt('reactors', fn() => new Server(reactors: 1));
attempt('reactors', fn() => new Server(reactors: 0));
attempt('reactors', fn() => new Server(reactors: 65));
attempt('mode', fn() => new Server(mode: 'process'));
attempt('limits', fn() => new Server(limits: []));
attempt('pidFile', fn() => new Server(pidFile: ''));
attempt('pidFile', fn() => new Server(pidFile: '/there/is/none'));
attempt('pidFile', fn() => new Server(pidFile: '/'));
attempt('pidFile', fn() => new Server(pidFile: "a\0b"));
attempt('logFile', fn() => new Server(logFile: ''));
attempt('logFile', fn() => new Server(logFile: '/there/is/none'));
attempt('temporaryFolder', fn() => new Server(temporaryFolder: sys_get_temp_dir()));
attempt('temporaryFolder', fn() => new Server(temporaryFolder: '/there/is/none'));
attempt('temporaryFolder', fn() => new Server(temporaryFolder: __FILE__));
attempt('unknown', fn() => new Server(wrokers: 2));
$server = new Server();
attempt('again', fn() => $server->__construct());
?>
--EXPECTF--
defaults: fine
all: fine
workers: fine
ValueError: Sluice\Server::__construct(): Argument #2 ($workers) must be between 1 and 128, 0 given
ValueError: Sluice\Server::__construct(): Argument #2 ($workers) must be between 1 and 128, 129 given
maxWorkers: fine
maxWorkers: fine
ValueError: Sluice\Server::__construct(): Argument #8 ($maxWorkers) must be between $workers (2) and 128, 1 given
ValueError: Sluice\Server::__construct(): Argument #8 ($maxWorkers) must be between $workers (2) and 128, 129 given
ValueError: Sluice\Server::__construct(): Argument #8 ($maxWorkers) must be $workers (2) in base mode, where workers have connections of their own, 3 given
reactors: fine
ValueError: Sluice\Server::__construct(): Argument #3 ($reactors) must be between 1 and 64, 0 given
ValueError: Sluice\Server::__construct(): Argument #3 ($reactors) must be between 1 and 64, 65 given
TypeError: Sluice\Server::__construct(): Argument #1 ($mode) must be of type Sluice\Mode, string given
TypeError: Sluice\Server::__construct(): Argument #4 ($limits) must be of type ?Sluice\Limits, array given
ValueError: Sluice\Server::__construct(): Argument #5 ($pidFile) must not be empty; null is for no file
ValueError: Sluice\Server::__construct(): Argument #5 ($pidFile) must be a file in a directory that exists, "/there/is/none" given
ValueError: Sluice\Server::__construct(): Argument #5 ($pidFile) must be a file in a directory that exists, "/" given
ValueError: Sluice\Server::__construct(): Argument #5 ($pidFile) must not contain any null bytes
ValueError: Sluice\Server::__construct(): Argument #6 ($logFile) must not be empty; null is for no file
ValueError: Sluice\Server::__construct(): Argument #6 ($logFile) must be a file in a directory that exists, "/there/is/none" given
temporaryFolder: fine
ValueError: Sluice\Server::__construct(): Argument #7 ($temporaryFolder) must be a folder that can be written to, "/there/is/none" given
ValueError: Sluice\Server::__construct(): Argument #7 ($temporaryFolder) must be a folder that can be written to, "%s" given
Error: Unknown named parameter $wrokers
Error: Sluice\Server is constructed already
