--TEST--
A server keeps its handlers alive, lets them go with itself, and a handler that holds the server is no leak
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\{Server, Tcp};

class Told
{
    public function __construct(private string $name) {}
    public function __invoke() {}
    public function __destruct() { echo "$this->name goes\n"; }
}
function build(): Server
{
    $server = new Server();
    $site = $server->http('127.0.0.1:1', new Told('http'));
    $site->webSocket('/', new Told('webSocket'));
    $server->tcp('127.0.0.1:2', Tcp\Framing::none(), new Told('tcp'));
    $server->onWorkerStart(new Told('start'))->onWorkerStop(new Told('stop'))->service('s', new Told('service'));
    return $server;
}
$server = build();
echo "built\n";
$server = null;
echo "-- a site keeps its server\n";
$server = new Server();
$site = $server->http('127.0.0.1:1', new Told('http'));
$server = null;
$site->webSocket('/', new Told('webSocket'));
echo "still there\n";
$site = null;
echo "-- cycles\n";
(function () {
    $server = new Server();
    $told = new Told('captured');
    $site = $server->http('127.0.0.1:1', function () use ($server, $told) {});
    $site->webSocket('/', function () use (&$site, $told) {});
    $server->onWorkerStart(function () use ($server) {});
    $server->service('s', function () use ($server, $told) {});
})();
echo gc_collect_cycles() > 0 ? "collected\n" : "leaked\n";
?>
--EXPECT--
built
tcp goes
webSocket goes
http goes
service goes
start goes
stop goes
-- a site keeps its server
still there
webSocket goes
http goes
-- cycles
captured goes
collected
