--TEST--
Server::detectLeaks() says what it may be given
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Server;

$server = new Server();
var_dump($server->detectLeaks() === $server);
foreach ([['report' => fn() => null], ['report' => null], ['ignore' => []], ['ignore' => ['App\*']], ['warmUp' => 0], ['warmUp' => 1_000_000],
    ['report' => 'nothing'], ['ignore' => ['']], ['ignore' => [5]], ['warmUp' => -1], ['warmUp' => 1_000_001]] as $arguments) {
    attempt(key($arguments), fn() => $server->detectLeaks(...$arguments));
}
unset($server);
gc_collect_cycles();
echo new Sluice\Leak(Sluice\LeakKind::Value, 'A::$b', 'null', 'an array of 3', 'GET /'), "\n";
echo new Sluice\Leak(Sluice\LeakKind::Transaction, 'a transaction of PDO', '', 'open', 'GET /'), "\n";
?>
--EXPECT--
bool(true)
report: fine
report: fine
ignore: fine
ignore: fine
warmUp: fine
warmUp: fine
TypeError: Sluice\Server::detectLeaks(): Argument #1 ($report) must be a valid callback or null, function "nothing" not found or invalid function name
ValueError: Sluice\Server::detectLeaks(): Argument #2 ($ignore) must be a list of patterns of places, "" is empty
TypeError: Sluice\Server::detectLeaks(): Argument #2 ($ignore) must be a list of patterns of places, int among them
ValueError: Sluice\Server::detectLeaks(): Argument #3 ($warmUp) must be between 0 and 1000000, -1 given
ValueError: Sluice\Server::detectLeaks(): Argument #3 ($warmUp) must be between 0 and 1000000, 1000001 given
GET / leaves A::$b as an array of 3; it was null
GET / leaves a transaction of PDO open
