--TEST--
Handlers: any callable, or an object of the protocol's own interface; what is neither is refused
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Http, Server, Tcp, WebSocket};

class Callables
{
    public function __invoke() {}
    public function method() {}
    public static function staticMethod() {}
    private function hidden() {}
}
class Magic
{
    public function __call(string $name, array $arguments) {}
    public static function __callStatic(string $name, array $arguments) {}
}
class HttpHandler implements Http\Handler
{
    public function handle(Http\Request $request, Http\Response $response): void {}
}
class ChatHandler implements WebSocket\Handler
{
    public function open(WebSocket\Connection $who, Http\Request $request): void {}
    public function message(WebSocket\Connection $who, string $data, bool $binary): void {}
    public function close(WebSocket\Connection $who, int $code, string $reason): void {}
}
class TcpHandler implements Tcp\Handler
{
    public function open(Tcp\Connection $who): void {}
    public function message(Tcp\Connection $who, string $data): void {}
    public function close(Tcp\Connection $who): void {}
}
$server = new Server();
$port = 1000;
$handlers = [
    'closure' => function () {},
    'function' => 'strlen',
    'first class' => strlen(...),
    'invokable' => new Callables(),
    'method' => [new Callables(), 'method'],
    'static' => [Callables::class, 'staticMethod'],
    'static string' => 'Callables::staticMethod',
    '__call' => [new Magic(), 'anything'],
    '__callStatic' => 'Magic::anything',
    'Http\Handler' => new HttpHandler(),
    'WebSocket\Handler' => new ChatHandler(),
    'Tcp\Handler' => new TcpHandler(),
    'missing' => 'there_is_none',
    'private' => [new Callables(), 'hidden'],
    'object' => new stdClass(),
    'null' => null,
];
foreach ($handlers as $name => $handler) {
    echo "-- $name\n";
    attempt('http', function () use ($server, &$port, $handler) { $server->http('127.0.0.1:' . ++$port, $handler); });
    $site = $server->http('127.0.0.1:' . ++$port, 'strlen');
    attempt('webSocket', fn() => $site->webSocket('/', $handler));
    attempt('tcp', function () use ($server, &$port, $handler) { $server->tcp('127.0.0.1:' . ++$port, Tcp\Framing::none(), $handler); });
    attempt('onWorkerStart', fn() => $server->onWorkerStart($handler));
    attempt('onWorkerStop', fn() => $server->onWorkerStop($handler));
}
var_dump($server->onWorkerStart('strlen') === $server, $server->onWorkerStop('strlen') === $server);
?>
--EXPECT--
-- closure
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- function
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- first class
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- invokable
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- method
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- static
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- static string
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- __call
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- __callStatic
http: fine
webSocket: fine
tcp: fine
onWorkerStart: fine
onWorkerStop: fine
-- Http\Handler
http: fine
TypeError: Sluice\Http\Site::webSocket(): Argument #2 ($handler) must be a valid callback or of type Sluice\WebSocket\Handler, no array or string given
TypeError: Sluice\Server::tcp(): Argument #3 ($handler) must be a valid callback or of type Sluice\Tcp\Handler, no array or string given
TypeError: Sluice\Server::onWorkerStart(): Argument #1 ($callback) must be a valid callback, no array or string given
TypeError: Sluice\Server::onWorkerStop(): Argument #1 ($callback) must be a valid callback, no array or string given
-- WebSocket\Handler
TypeError: Sluice\Server::http(): Argument #2 ($handler) must be a valid callback or of type Sluice\Http\Handler, no array or string given
webSocket: fine
TypeError: Sluice\Server::tcp(): Argument #3 ($handler) must be a valid callback or of type Sluice\Tcp\Handler, no array or string given
TypeError: Sluice\Server::onWorkerStart(): Argument #1 ($callback) must be a valid callback, no array or string given
TypeError: Sluice\Server::onWorkerStop(): Argument #1 ($callback) must be a valid callback, no array or string given
-- Tcp\Handler
TypeError: Sluice\Server::http(): Argument #2 ($handler) must be a valid callback or of type Sluice\Http\Handler, no array or string given
TypeError: Sluice\Http\Site::webSocket(): Argument #2 ($handler) must be a valid callback or of type Sluice\WebSocket\Handler, no array or string given
tcp: fine
TypeError: Sluice\Server::onWorkerStart(): Argument #1 ($callback) must be a valid callback, no array or string given
TypeError: Sluice\Server::onWorkerStop(): Argument #1 ($callback) must be a valid callback, no array or string given
-- missing
TypeError: Sluice\Server::http(): Argument #2 ($handler) must be a valid callback or of type Sluice\Http\Handler, function "there_is_none" not found or invalid function name
TypeError: Sluice\Http\Site::webSocket(): Argument #2 ($handler) must be a valid callback or of type Sluice\WebSocket\Handler, function "there_is_none" not found or invalid function name
TypeError: Sluice\Server::tcp(): Argument #3 ($handler) must be a valid callback or of type Sluice\Tcp\Handler, function "there_is_none" not found or invalid function name
TypeError: Sluice\Server::onWorkerStart(): Argument #1 ($callback) must be a valid callback, function "there_is_none" not found or invalid function name
TypeError: Sluice\Server::onWorkerStop(): Argument #1 ($callback) must be a valid callback, function "there_is_none" not found or invalid function name
-- private
TypeError: Sluice\Server::http(): Argument #2 ($handler) must be a valid callback or of type Sluice\Http\Handler, cannot access private method Callables::hidden()
TypeError: Sluice\Http\Site::webSocket(): Argument #2 ($handler) must be a valid callback or of type Sluice\WebSocket\Handler, cannot access private method Callables::hidden()
TypeError: Sluice\Server::tcp(): Argument #3 ($handler) must be a valid callback or of type Sluice\Tcp\Handler, cannot access private method Callables::hidden()
TypeError: Sluice\Server::onWorkerStart(): Argument #1 ($callback) must be a valid callback, cannot access private method Callables::hidden()
TypeError: Sluice\Server::onWorkerStop(): Argument #1 ($callback) must be a valid callback, cannot access private method Callables::hidden()
-- object
TypeError: Sluice\Server::http(): Argument #2 ($handler) must be a valid callback or of type Sluice\Http\Handler, no array or string given
TypeError: Sluice\Http\Site::webSocket(): Argument #2 ($handler) must be a valid callback or of type Sluice\WebSocket\Handler, no array or string given
TypeError: Sluice\Server::tcp(): Argument #3 ($handler) must be a valid callback or of type Sluice\Tcp\Handler, no array or string given
TypeError: Sluice\Server::onWorkerStart(): Argument #1 ($callback) must be a valid callback, no array or string given
TypeError: Sluice\Server::onWorkerStop(): Argument #1 ($callback) must be a valid callback, no array or string given
-- null
http: fine
TypeError: Sluice\Http\Site::webSocket(): Argument #2 ($handler) must be a valid callback or of type Sluice\WebSocket\Handler, no array or string given
TypeError: Sluice\Server::tcp(): Argument #3 ($handler) must be a valid callback or of type Sluice\Tcp\Handler, no array or string given
TypeError: Sluice\Server::onWorkerStart(): Argument #1 ($callback) must be a valid callback, no array or string given
TypeError: Sluice\Server::onWorkerStop(): Argument #1 ($callback) must be a valid callback, no array or string given
bool(true)
bool(true)
