--TEST--
TrustedProxies: addresses are checked when it is made, and each mistake is a sentence
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Listener, ProxyFields, Server, Tcp, TrustedProxies};

attempt('shortest', fn() => new TrustedProxies(['127.0.0.1']));
attempt('everything', fn() => new TrustedProxies(
    addresses: ['10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', 'unix'], fields: ProxyFields::Forwarded, proxyProtocol: true));
foreach ([[], ['localhost'], ['10.0.0.1/8'], ['10.0.0.0/33'], ['127.0.0.1:80'], ['[::1]'], [''], [7], [['10.0.0.0', 8]]] as $addresses) {
    attempt(json_encode($addresses), fn() => new TrustedProxies($addresses));
}
attempt('', fn() => new TrustedProxies(['::1'], 'forwarded'));
$proxies = new TrustedProxies(['::1']);
attempt('', fn() => $proxies->__construct(['::2']));
attempt('', fn() => clone $proxies);
attempt('', fn() => serialize($proxies));
attempt('', fn() => $proxies->anything = 1);
$server = new Server();
attempt('http', fn() => $server->http(new Listener('127.0.0.1:1', proxies: $proxies), fn() => null));
attempt('tcp', fn() => $server->tcp(new Listener('127.0.0.1:2', proxies: $proxies), Tcp\Framing::none(), fn() => null));
attempt('none', fn() => $server->http(new Listener('127.0.0.1:3', proxies: null), fn() => null));
attempt('', fn() => new Listener('127.0.0.1:4', proxies: ['::1']));
?>
--EXPECT--
shortest: fine
everything: fine
ValueError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must not be empty; without proxies, give no TrustedProxies
ValueError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must hold IP addresses, networks like "10.0.0.0/8" without bits behind their prefix, or "unix"; "localhost" given
ValueError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must hold IP addresses, networks like "10.0.0.0/8" without bits behind their prefix, or "unix"; "10.0.0.1/8" given
ValueError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must hold IP addresses, networks like "10.0.0.0/8" without bits behind their prefix, or "unix"; "10.0.0.0/33" given
ValueError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must hold IP addresses, networks like "10.0.0.0/8" without bits behind their prefix, or "unix"; "127.0.0.1:80" given
ValueError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must hold IP addresses, networks like "10.0.0.0/8" without bits behind their prefix, or "unix"; "[::1]" given
ValueError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must hold IP addresses, networks like "10.0.0.0/8" without bits behind their prefix, or "unix"; "" given
TypeError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must be a list of string, int found in it
TypeError: Sluice\TrustedProxies::__construct(): Argument #1 ($addresses) must be a list of string, array found in it
TypeError: Sluice\TrustedProxies::__construct(): Argument #2 ($fields) must be of type Sluice\ProxyFields, string given
Error: Sluice\TrustedProxies is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\TrustedProxies
Exception: Serialization of 'Sluice\TrustedProxies' is not allowed
Error: Cannot create dynamic property Sluice\TrustedProxies::$anything
http: fine
tcp: fine
none: fine
TypeError: Sluice\Listener::__construct(): Argument #3 ($proxies) must be of type ?Sluice\TrustedProxies, array given
