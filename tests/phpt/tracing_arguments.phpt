--TEST--
Sluice\Server::tracing() takes a URL of http, a ratio, a name and header fields; what is null the environment says
--FILE--
<?php

declare(strict_types=1);

foreach ([
    ['http://127.0.0.1:4318/v1/traces', 0.5, 'shop', ['Authorization' => 'Bearer x']], ['http://[::1]', 1.0], [null, 0.0],
    ['https://collector', 1.0], ['', 1.0], ['http://x:0', 1.0], ['http://x', 1.1], ['http://x', NAN], ['http://x', 1.0, ''],
    ['http://x', 1.0, null, ['a b' => 'c']], ['http://x', 1.0, null, ['a' => "b\r\nc: d"]], ['http://x', 1.0, null, ['a']],
] as $arguments) {
    $server = new Sluice\Server();
    try {
        var_dump($server->tracing(...$arguments) === $server);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}

set_error_handler(function (int $level, string $message): bool {
    echo $message, "\n";
    return true;
});
putenv('OTEL_EXPORTER_OTLP_ENDPOINT=http://x');
foreach ([
    ['OTEL_EXPORTER_OTLP_ENDPOINT' => 'grpc://x'], ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' => 'https://x'], ['OTEL_SDK_DISABLED' => 'yes'],
    ['OTEL_TRACES_SAMPLER_ARG' => '0.5'], ['OTEL_TRACES_SAMPLER' => 'jaeger_remote'], ['OTEL_TRACES_SAMPLER' => 'traceidratio'],
    ['OTEL_TRACES_SAMPLER' => 'traceidratio', 'OTEL_TRACES_SAMPLER_ARG' => '2'], ['OTEL_TRACES_SAMPLER' => 'always_on', 'OTEL_TRACES_SAMPLER_ARG' => '2'],
    ['OTEL_EXPORTER_OTLP_HEADERS' => 'a b=secret'], ['OTEL_RESOURCE_ATTRIBUTES' => 'a%2=b'], ['OTEL_SERVICE_NAME' => "\xff"],
    ['OTEL_RESOURCE_ATTRIBUTES' => 'a', 'OTEL_SDK_DISABLED' => 'True'],
] as $variables) {
    foreach ($variables as $name => $value) {
        putenv("$name=$value");
    }
    echo '- ', json_encode($variables, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
    (new Sluice\Server())->tracing();
    foreach ($variables as $name => $value) {
        putenv($name === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? "$name=http://x" : $name);
    }
}
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));
putenv('OTEL_SDK_DISABLED=no');
try {
    (new Sluice\Server())->tracing();
} catch (ErrorException $error) {
    echo "thrown: {$error->getMessage()}\n";
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
Sluice\Server::tracing(): Argument #3 ($service) must not be empty
Sluice\Server::tracing(): Argument #4 ($headers) must be names and values of header fields, which "a b" is not
Sluice\Server::tracing(): Argument #4 ($headers) must be names and values of header fields, which "a" is not
Sluice\Server::tracing(): Argument #4 ($headers) must be names and values of header fields, which "0" is not
- {"OTEL_EXPORTER_OTLP_ENDPOINT":"grpc://x"}
Sluice\Server::tracing(): OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that begins with http:// and a host, "grpc://x" is not used
- {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT":"https://x"}
Sluice\Server::tracing(): OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL that begins with http:// and a host, "https://x" is not used
- {"OTEL_SDK_DISABLED":"yes"}
Sluice\Server::tracing(): OTEL_SDK_DISABLED must be true or false, "yes" is taken for false
- {"OTEL_TRACES_SAMPLER_ARG":"0.5"}
Sluice\Server::tracing(): OTEL_TRACES_SAMPLER_ARG is not used: it needs OTEL_TRACES_SAMPLER, which is not set
- {"OTEL_TRACES_SAMPLER":"jaeger_remote"}
Sluice\Server::tracing(): OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio, "jaeger_remote" is taken for parentbased_always_on
- {"OTEL_TRACES_SAMPLER":"traceidratio"}
- {"OTEL_TRACES_SAMPLER":"traceidratio","OTEL_TRACES_SAMPLER_ARG":"2"}
Sluice\Server::tracing(): OTEL_TRACES_SAMPLER_ARG must be between 0 and 1, "2" is taken for 1
- {"OTEL_TRACES_SAMPLER":"always_on","OTEL_TRACES_SAMPLER_ARG":"2"}
- {"OTEL_EXPORTER_OTLP_HEADERS":"a b=secret"}
Sluice\Server::tracing(): OTEL_EXPORTER_OTLP_HEADERS must be names and values of header fields, as in "name=value,name=value", each percent-encoded; none of them is sent
- {"OTEL_RESOURCE_ATTRIBUTES":"a%2=b"}
Sluice\Server::tracing(): OTEL_RESOURCE_ATTRIBUTES must be names and values in UTF-8, as in "name=value,name=value", each percent-encoded, "a%2=b" is not used
- {"OTEL_SERVICE_NAME":"\ufffd"}
Sluice\Server::tracing(): OTEL_SERVICE_NAME must be UTF-8, it is not used
- {"OTEL_RESOURCE_ATTRIBUTES":"a","OTEL_SDK_DISABLED":"True"}
thrown: Sluice\Server::tracing(): OTEL_SDK_DISABLED must be true or false, "no" is taken for false
