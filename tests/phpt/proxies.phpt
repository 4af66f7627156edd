--TEST--
TrustedProxies: addresses are checked when it is made, and each mistake is a sentence
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{ProxyFields, Server, Tcp, TrustedProxies};

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
attempt('http', fn() => $server->http('127.0.0.1:1', fn() => null, proxies: $proxies));
attempt('tcp', fn() => $server->tcp('127.0.0.1:2', Tcp\Framing::none(), fn() => null, proxies: $proxies));
attempt('none', fn() => $server->http('127.0.0.1:3', fn() => null, proxies: null));
attempt('', fn() => $server->http('127.0.0.1:4', fn() => null, proxies: ['::1']));
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
TypeError: Sluice\Server::http(): Argument #7 ($proxies) must be of type ?Sluice\TrustedProxies, array given
