--TEST--
WebSocket\Options, Site::webSocket(): sub-protocols, origins, heartbeat and the handshake handler are checked; Origins decides
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Server;
use Sluice\WebSocket\{Handshake, Heartbeat, Options, Origins};

$site = (new Server())->http('127.0.0.1:1', fn() => null);
$f = fn() => null;
attempt('all', fn() => $site->webSocket('/all', $f, new Options(['a', 'b.c'], new Origins(), null, new Heartbeat()), handshake: $f));
// A variable that changes afterwards does not change the route.
$list = ['a', 'b'];
foreach ($list as &$item) {
}
$options = new Options($list);
$item = 'c d';
var_dump($options->protocols === ['a', 'b'], $options->slowClient->name);
attempt('none', fn() => $site->webSocket('/none', $f, null, null, null));
foreach ([[1], [''], ['a b'], ["a\n"], array_fill(0, 65, 'a')] as $protocols) {
    attempt('protocols', fn() => new Options(protocols: $protocols));
}
attempt('handshake', fn() => $site->webSocket('/h', $f, handshake: 'no_such_function'));
attempt('handshake', fn() => $site->webSocket('/h', $f, handshake: 5));

$heartbeat = new Heartbeat(0.001, 1e6);
echo $heartbeat->everySeconds, ' ', $heartbeat->timeoutSeconds, "\n";
foreach ([[0.0], [1e6 + 1], [NAN], [1.0, 0.0], [1.0, -INF]] as $arguments) {
    attempt('heartbeat', fn() => new Heartbeat(...$arguments));
}
attempt('again', fn() => $heartbeat->__construct());

foreach ([[1], ['example.com'], ['https://a.example', 'https://*']] as $allowed) {
    attempt('origins', fn() => new Origins($allowed));
}
$origins = new Origins(['https://*.example.com'], withoutOrigin: false);
attempt('again', fn() => $origins->__construct());
var_dump(
    $origins->allows('https://www.example.com', 'elsewhere'),
    $origins->allows('https://example.com', 'elsewhere'),
    $origins->allows('https://here', 'here', true),
    $origins->allows('https://here', 'here'),
    $origins->allows(null, 'here'),
    (new Origins(sameOrigin: false))->allows(null, 'here'),
);
?>
--EXPECT--
all: fine
bool(true)
string(10) "DropNewest"
none: fine
TypeError: Sluice\WebSocket\Options::__construct(): Argument #1 ($protocols) must be a list of string, int found in it
ValueError: Sluice\WebSocket\Options::__construct(): Argument #1 ($protocols) must hold tokens: letters, digits and !#$%&'*+-.^_`|~, "" given
ValueError: Sluice\WebSocket\Options::__construct(): Argument #1 ($protocols) must hold tokens: letters, digits and !#$%&'*+-.^_`|~, "a b" given
ValueError: Sluice\WebSocket\Options::__construct(): Argument #1 ($protocols) must hold tokens: letters, digits and !#$%&'*+-.^_`|~, "a
" given
ValueError: Sluice\WebSocket\Options::__construct(): Argument #1 ($protocols) must hold at most 64 names, 65 given
TypeError: Sluice\Http\Site::webSocket(): Argument #5 ($handshake) must be a valid callback or null, function "no_such_function" not found or invalid function name
TypeError: Sluice\Http\Site::webSocket(): Argument #5 ($handshake) must be a valid callback or null, no array or string given
0.001 1000000
ValueError: Sluice\WebSocket\Heartbeat::__construct(): Argument #1 ($everySeconds) must be between 0.001 and 1000000 seconds, 0 given
ValueError: Sluice\WebSocket\Heartbeat::__construct(): Argument #1 ($everySeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\WebSocket\Heartbeat::__construct(): Argument #1 ($everySeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\WebSocket\Heartbeat::__construct(): Argument #2 ($timeoutSeconds) must be between 0.001 and 1000000 seconds, 0 given
ValueError: Sluice\WebSocket\Heartbeat::__construct(): Argument #2 ($timeoutSeconds) must be between 0.001 and 1000000 seconds, -INF given
Error: Sluice\WebSocket\Heartbeat is constructed already and cannot be changed
TypeError: Sluice\WebSocket\Origins::__construct(): Argument #1 ($allowed) must be a list of string, int found in it
ValueError: Sluice\WebSocket\Origins::__construct(): Argument #1 ($allowed) must hold origins like "https://example.com", "http://localhost:8080", "https://*.example.com" or "null", "example.com" given
ValueError: Sluice\WebSocket\Origins::__construct(): Argument #1 ($allowed) must hold origins like "https://example.com", "http://localhost:8080", "https://*.example.com" or "null", "https://*" given
Error: Sluice\WebSocket\Origins is constructed already and cannot be changed
bool(true)
bool(false)
bool(true)
bool(false)
bool(false)
bool(true)
