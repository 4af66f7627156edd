--TEST--
Http\Script is made of a file that is there; classic and concurrency are options of sites and routes
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Http\{Options, Script};
use Sluice\Server;

attempt('missing', fn() => new Script(__DIR__ . '/no-such-file.php'));
attempt('nothing', fn() => new Script(''));
attempt('NUL', fn() => new Script("a\0b"));
$script = new Script(__FILE__);
attempt('again', fn() => $script->__construct(__FILE__));
attempt('unfinished', fn() => (new ReflectionClass(Script::class))->newInstanceWithoutConstructor()->handle(1, 2));
attempt('clone', fn() => clone $script);
$site = (new Server())->http('127.0.0.1:1', $script, new Options(classic: true));
attempt('route', fn() => $site->get('/', $script, new Options(classic: false)) && print("added\n"));
var_dump((new Options(classic: true))->classic, (new Options())->classic);
attempt('type', fn() => new Options(classic: []));
foreach ([-1, 1001, 0, 1000] as $processes) {
    attempt("$processes", fn() => var_dump((new Options(processes: $processes))->processes));
}
foreach ([0, 1_000_001, 1, 1_000_000] as $concurrency) {
    attempt("$concurrency", fn() => var_dump((new Options(concurrency: $concurrency))->concurrency));
}
?>
--EXPECTF--
Sluice\ServerException: The script "%s/no-such-file.php" cannot be read: No such file or directory
Sluice\ServerException: The script "" cannot be read: No such file or directory
ValueError: Sluice\Http\Script::__construct(): Argument #1 ($file) must not contain any null bytes
Error: Sluice\Http\Script is constructed already and cannot be changed
ReflectionException: Class Sluice\Http\Script is an internal class marked as final that cannot be instantiated without invoking its constructor
Error: Trying to clone an uncloneable object of class Sluice\Http\Script
added
route: fine
bool(true)
NULL
TypeError: Sluice\Http\Options::__construct(): Argument #8 ($classic) must be of type ?bool, array given
ValueError: Sluice\Http\Options::__construct(): Argument #10 ($processes) must be between 0 and 1000, -1 given
ValueError: Sluice\Http\Options::__construct(): Argument #10 ($processes) must be between 0 and 1000, 1001 given
int(0)
0: fine
int(1000)
1000: fine
ValueError: Sluice\Http\Options::__construct(): Argument #9 ($concurrency) must be between 1 and 1000000, 0 given
ValueError: Sluice\Http\Options::__construct(): Argument #9 ($concurrency) must be between 1 and 1000000, 1000001 given
int(1)
1: fine
int(1000000)
1000000: fine
