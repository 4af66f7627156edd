--TEST--
Server::http(), tcp() and Site::webSocket(): addresses, paths and handlers are checked, none may be there twice
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Dispatch, Http, Listener, Server, Tcp};

$server = new Server();
$f = fn() => null;
foreach (['127.0.0.1:80', '[::1]:80', '0.0.0.0:0', '[::]:65535', 'localhost:81'] as $address) {
    attempt($address, fn() => $server->http($address, $f));
}
foreach (['', '80', ':80', '127.0.0.1', '127.0.0.1:', '127.0.0.1:x', '127.0.0.1:65536', '127.0.0.1:-1', '::1:80', '[::1]', 'example.com:80',
    '256.0.0.1:80', '127.0.0.1:80 ', "127.0.0.1:80\0"] as $address) {
    attempt($address, fn() => $server->http($address, $f));
}
echo "-- twice\n";
attempt('same', fn() => $server->http('127.0.0.1:80', $f));
attempt('same', fn() => $server->tcp('127.0.0.1:80', Tcp\Framing::none(), $f));
attempt('other spelling', fn() => $server->http('[0:0:0:0:0:0:0:1]:80', $f));
attempt('localhost', fn() => $server->tcp('127.0.0.1:81', Tcp\Framing::none(), $f));
attempt('other port', fn() => $server->tcp('127.0.0.1:82', Tcp\Framing::none(), $f));
echo "-- paths\n";
$site = $server->http('127.0.0.1:83', $f, new Http\Options(Dispatch::Sticky));
$other = $server->http('127.0.0.1:84', $f);
foreach (['/', '/chat', '/a/b%20c;d=1', '/chat/', '', 'chat', '/a?b', '/a#b', '/a b', "/a\n", '/ä', '/chat'] as $path) {
    attempt($path, fn() => $site->webSocket($path, $f));
}
attempt('another site', fn() => $other->webSocket('/chat', $f));
var_dump($site->webSocket('/chained', $f) === $site);
echo "-- Unix sockets\n";
foreach (['unix:/run/a.sock', 'unix:/run/' . str_repeat('x', 102), 'unix:/run/a.sock', 'unix:', 'unix:/', 'unix:a.sock', 'unix:/run/',
    'unix:/run/' . str_repeat('x', 103)] as $address) {
    attempt($address, fn() => $server->http($address, $f));
}
foreach ([0, 0777, -1, 01000] as $i => $mode) {
    attempt(sprintf('mode 0%o', $mode), fn() => $server->tcp(new Listener("unix:/run/$i", socketMode: $mode), Tcp\Framing::none(), $f));
}
attempt('mode of an IP address', fn() => new Listener('127.0.0.1:85', socketMode: 0600));
echo "-- Listener\n";
$where = new Listener('unix:/run/b.sock', socketMode: 0600);
var_dump($where->address, $where->tls, $where->proxies, $where->socketMode, (new Listener('[::1]:0'))->socketMode);
attempt('taken', fn() => $server->http(new Listener('127.0.0.1:80'), $f));
attempt('taken', fn() => $server->http($where, $f));
attempt('taken', fn() => $server->tcp($where, Tcp\Framing::none(), $f));
attempt('no address', fn() => new Listener('80'));
attempt('NUL', fn() => new Listener("127.0.0.1:80\0"));
attempt('of another class', fn() => $server->http(new Http\Options(), $f));
attempt('for UDP', fn() => $server->udp(new Listener('127.0.0.1:1'), $f));
echo "-- options that a whole site has\n";
attempt('versions', fn() => $site->get('/v', $f, new Http\Options(versions: Http\Versions::Any)));
attempt('log', fn() => $site->route('GET', '/v', $f, new Http\Options(accessLog: new Http\AccessLog('php://stdout'))));
attempt('others', fn() => $site->get('/v', $f, new Http\Options(bodies: Http\Bodies::Stream)));
echo "-- types\n";
attempt('framing', fn() => $server->tcp('127.0.0.1:85', 'line', $f));
attempt('dispatch', fn() => $server->http('127.0.0.1:85', $f, 'sticky'));
attempt('dispatch', fn() => new Http\Options('sticky'));
echo "-- deadlines\n";
foreach ([null, 0.0, 0.001, 1e6, 1e6 + 1, -1.0, NAN] as $index => $seconds) {
    attempt(var_export($seconds, true), fn() => $server->http('127.0.0.1:' . 86 + $index, $f, limits: new Http\Limits(requestSeconds: $seconds)));
}
?>
--EXPECT--
127.0.0.1:80: fine
[::1]:80: fine
0.0.0.0:0: fine
[::]:65535: fine
localhost:81: fine
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "80" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; ":80" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "127.0.0.1" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "127.0.0.1:" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "127.0.0.1:x" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "127.0.0.1:65536" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "127.0.0.1:-1" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "::1:80" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "[::1]" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "example.com:80" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "256.0.0.1:80" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "127.0.0.1:80 " given
ValueError: Sluice\Server::http(): Argument #1 ($address) must not contain any null bytes
-- twice
ValueError: Sluice\Server::http(): Argument #1 ($address) must not be listened on twice, "127.0.0.1:80" has a listener already
ValueError: Sluice\Server::tcp(): Argument #1 ($address) must not be listened on twice, "127.0.0.1:80" has a listener already
ValueError: Sluice\Server::http(): Argument #1 ($address) must not be listened on twice, "[0:0:0:0:0:0:0:1]:80" has a listener already
ValueError: Sluice\Server::tcp(): Argument #1 ($address) must not be listened on twice, "127.0.0.1:81" has a listener already
other port: fine
-- paths
/: fine
/chat: fine
/a/b%20c;d=1: fine
/chat/: fine
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must start with "/", "" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must start with "/", "chat" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must be a path without "?" and "#", "/a?b" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must be a path without "?" and "#", "/a#b" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must hold printable ASCII only, others percent-encoded, "/a b" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must hold printable ASCII only, others percent-encoded, "/a
" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must hold printable ASCII only, others percent-encoded, "/ä" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must be added only once, "/chat" exists already
another site: fine
bool(true)
-- Unix sockets
unix:/run/a.sock: fine
unix:/run/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: fine
ValueError: Sluice\Server::http(): Argument #1 ($address) must not be listened on twice, "unix:/run/a.sock" has a listener already
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "unix:" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "unix:/" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "unix:a.sock" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "unix:/run/" given
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "unix:/run/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" given
mode 00: fine
mode 0777: fine
ValueError: Sluice\Listener::__construct(): Argument #4 ($socketMode) must be between 0 and 0777 (511), -1 given
ValueError: Sluice\Listener::__construct(): Argument #4 ($socketMode) must be between 0 and 0777 (511), 512 given
ValueError: Sluice\Listener::__construct(): Argument #4 ($socketMode) must be null for an IP address: only a Unix socket has a file
-- Listener
string(16) "unix:/run/b.sock"
NULL
NULL
int(384)
NULL
ValueError: Sluice\Server::http(): Argument #1 ($address) must not be listened on twice, "127.0.0.1:80" has a listener already
taken: fine
ValueError: Sluice\Server::tcp(): Argument #1 ($address) must not be listened on twice, "unix:/run/b.sock" has a listener already
ValueError: Sluice\Listener::__construct(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "80" given
ValueError: Sluice\Listener::__construct(): Argument #1 ($address) must not contain any null bytes
TypeError: Sluice\Server::http(): Argument #1 ($address) must be of type Sluice\Listener|string, Sluice\Http\Options given
TypeError: Sluice\Server::udp(): Argument #1 ($address) must be of type string, Sluice\Listener given
-- options that a whole site has
ValueError: Sluice\Http\Site::get(): Argument #3 ($options) must not have $versions, which is for whole sites only
ValueError: Sluice\Http\Site::route(): Argument #4 ($options) must not have $accessLog, which is for whole sites only
others: fine
-- types
TypeError: Sluice\Server::tcp(): Argument #2 ($framing) must be of type Sluice\Tcp\Framing, string given
TypeError: Sluice\Server::http(): Argument #3 ($options) must be of type ?Sluice\Http\Options, string given
TypeError: Sluice\Http\Options::__construct(): Argument #1 ($dispatch) must be of type ?Sluice\Dispatch, string given
-- deadlines
NULL: fine
0.0: fine
0.001: fine
1000000.0: fine
ValueError: Sluice\Http\Limits::__construct(): Argument #9 ($requestSeconds) must be between 0 and 1000000 seconds, 1000001 given
ValueError: Sluice\Http\Limits::__construct(): Argument #9 ($requestSeconds) must be between 0 and 1000000 seconds, -1 given
ValueError: Sluice\Http\Limits::__construct(): Argument #9 ($requestSeconds) must be between 0 and 1000000 seconds, NAN given
