--TEST--
Sluice\Server::admin() takes an address of this machine, and a token for any other
--FILE--
<?php

declare(strict_types=1);

$token = str_repeat('t', 16);
foreach ([
    ['127.0.0.1:9400', null], ['[::1]:9400', null], ['localhost:9400', null], ['unix:/run/admin.sock', null],
    ['0.0.0.0:9400', $token], ['0.0.0.0:9400', null], ['192.0.2.1:9400', null], ['[::]:9400', null],
    ['127.0.0.1', null], ['', null], ['127.0.0.1:9400', 'short'], ['127.0.0.1:9400', 'a token with blanks'],
    ['127.0.0.1:9400', str_repeat('t', 513)], ["127.0.0.1:9400\0", null],
] as [$address, $secret]) {
    $server = new Sluice\Server();
    try {
        var_dump($server->admin($address, $secret) === $server);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
Sluice\Server::admin(): Argument #2 ($token) must not be null when other machines can reach the admin listener: "0.0.0.0:9400" is neither a loopback address nor a Unix socket
Sluice\Server::admin(): Argument #2 ($token) must not be null when other machines can reach the admin listener: "192.0.2.1:9400" is neither a loopback address nor a Unix socket
Sluice\Server::admin(): Argument #2 ($token) must not be null when other machines can reach the admin listener: "[::]:9400" is neither a loopback address nor a Unix socket
Sluice\Server::admin(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "127.0.0.1" given
Sluice\Server::admin(): Argument #1 ($address) must be an IP address or localhost, and a port: "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:0"; or a short absolute path: "unix:/run/app.sock"; "" given
Sluice\Server::admin(): Argument #2 ($token) must have 16 to 512 letters, digits and "-._~+/=": Authorization: Bearer can carry no others; 5 bytes given
Sluice\Server::admin(): Argument #2 ($token) must have 16 to 512 letters, digits and "-._~+/=": Authorization: Bearer can carry no others; another character given
Sluice\Server::admin(): Argument #2 ($token) must have 16 to 512 letters, digits and "-._~+/=": Authorization: Bearer can carry no others; 513 bytes given
Sluice\Server::admin(): Argument #1 ($address) must not contain any null bytes
