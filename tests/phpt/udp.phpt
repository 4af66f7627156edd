--TEST--
Server::udp(): addresses and handlers are checked; TCP has ports of its own
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Server, Tcp, Udp};

$server = new Server();
$f = fn() => null;
foreach (['127.0.0.1:80', '[::1]:80', '0.0.0.0:0', 'localhost:81'] as $address) {
    attempt($address, fn() => $server->udp($address, $f));
}
foreach (['', '127.0.0.1', 'example.com:80', 'unix:/run/a.sock', 'udp:127.0.0.1:82', "127.0.0.1:80\0"] as $address) {
    attempt($address, fn() => $server->udp($address, $f));
}
attempt('twice', fn() => $server->udp('127.0.0.1:80', $f));
attempt('HTTP beside it', fn() => $server->http('127.0.0.1:80', $f));
attempt('not as HTTP', fn() => $server->http('udp:127.0.0.1:82', $f));
attempt('TCP beside it', fn() => $server->tcp('127.0.0.1:81', Tcp\Framing::none(), $f));
attempt('object', fn() => $server->udp('127.0.0.1:83', new class implements Udp\Handler {
    public function datagram(Udp\Peer $from, string $datagram): void {}
}));
attempt('no handler', fn() => $server->udp('127.0.0.1:84', 'there_is_none'));
attempt('another handler', fn() => $server->udp('127.0.0.1:84', new stdClass()));
attempt('new', fn() => new Udp\Peer());
?>
--EXPECT--
127.0.0.1:80: fine
[::1]:80: fine
0.0.0.0:0: fine
localhost:81: fine
ValueError: Sluice\Server::udp(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; UDP has no Unix sockets; "" given
ValueError: Sluice\Server::udp(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; UDP has no Unix sockets; "127.0.0.1" given
ValueError: Sluice\Server::udp(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; UDP has no Unix sockets; "example.com:80" given
ValueError: Sluice\Server::udp(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; UDP has no Unix sockets; "unix:/run/a.sock" given
ValueError: Sluice\Server::udp(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; UDP has no Unix sockets; "udp:127.0.0.1:82" given
ValueError: Sluice\Server::udp(): Argument #1 ($address) must not contain any null bytes
ValueError: Sluice\Server::udp(): Argument #1 ($address) must not be listened on twice, "127.0.0.1:80" has a listener already
HTTP beside it: fine
ValueError: Sluice\Server::http(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "udp:127.0.0.1:82" given
TCP beside it: fine
object: fine
TypeError: Sluice\Server::udp(): Argument #2 ($handler) must be a valid callback or of type Sluice\Udp\Handler, function "there_is_none" not found or invalid function name
TypeError: Sluice\Server::udp(): Argument #2 ($handler) must be a valid callback or of type Sluice\Udp\Handler, no array or string given
Error: Call to private Sluice\Udp\Peer::__construct() from global scope
