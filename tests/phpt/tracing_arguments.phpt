--TEST--
Sluice\Server::tracing() takes a URL of http, a ratio, a name and header fields; what is null the environment says
--ENV--
OTEL_TRACES_SAMPLER_ARG=2
--FILE--
<?php

declare(strict_types=1);

foreach ([
    ['http://127.0.0.1:4318/v1/traces', 0.5, 'shop', ['Authorization' => 'Bearer x']], ['http://[::1]', 1.0], [null, 0.0],
    ['https://collector', 1.0], ['', 1.0], ['http://x:0', 1.0], ['http://x', 1.1], ['http://x', NAN], ['http://x'], ['http://x', 1.0, ''],
    ['http://x', 1.0, null, ['a b' => 'c']], ['http://x', 1.0, null, ['a' => "b\r\nc: d"]], ['http://x', 1.0, null, ['a']],
] as $arguments) {
    $server = new Sluice\Server();
    try {
        var_dump($server->tracing(...$arguments) === $server);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
putenv('OTEL_TRACES_SAMPLER_ARG');
putenv('OTEL_EXPORTER_OTLP_ENDPOINT=grpc://x');
try {
    (new Sluice\Server())->tracing();
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
Sluice\Server::tracing(): Argument #1 ($endpoint) must be a URL that begins with http:// and a host, "https://collector" given
Sluice\Server::tracing(): Argument #1 ($endpoint) must be a URL that begins with http:// and a host, "" given
Sluice\Server::tracing(): Argument #1 ($endpoint) must be a URL that begins with http:// and a host, "http://x:0" given
Sluice\Server::tracing(): Argument #2 ($ratio) must be between 0 and 1, 1.1 given
Sluice\Server::tracing(): Argument #2 ($ratio) must be between 0 and 1, NAN given
Sluice\Server::tracing(): Argument #2 ($ratio) must be between 0 and 1, OTEL_TRACES_SAMPLER_ARG is "2"
Sluice\Server::tracing(): Argument #3 ($service) must not be empty
Sluice\Server::tracing(): Argument #4 ($headers) must be names and values of header fields, which "a b" is not
Sluice\Server::tracing(): Argument #4 ($headers) must be names and values of header fields, which "a" is not
Sluice\Server::tracing(): Argument #4 ($headers) must be names and values of header fields, which "0" is not
Sluice\Server::tracing(): Argument #1 ($endpoint) must be a URL that begins with http:// and a host, "grpc://x/v1/traces" is what the environment says
