--TEST--
Limits: both ends of each range are allowed, what lies beyond is named
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Http, Http2, Limits, Server, Tcp, Udp, WebSocket};

const KIB = 1024, MIB = 1024 * KIB, GIB = 1024 * MIB;
$ranges = [
    Limits::class => [
        'connections' => [1, 1_000_000],
        'connectionsPerAddress' => [0, 1_000_000],
        'connectionsPerAddressPerSecond' => [0, 1_000_000],
        'arenaBytes' => [MIB, 64 * GIB],
        'ringBytes' => [512 * KIB, 64 * MIB],
        'outBytes' => [MIB, 64 * GIB],
        'lentBytes' => [0, 64 * GIB],
        'temporaryFileBytes' => [0, 16_384 * GIB],
        'bodyStreams' => [1, 1_000_000],
        'queuedBytes' => [64 * KIB, 4 * GIB],
        'highWaterBytes' => [KIB, 4 * GIB],
        'lowWaterBytes' => [0, 4 * GIB],
        'queuedTotalBytes' => [MIB, 64 * GIB],
        'compressionBytes' => [0, 64 * GIB],
        'attachedBytes' => [0, 65_535],
        'attachedTotalBytes' => [0, 64 * GIB],
        'encodingBytes' => [0, 64 * GIB],
        'accessLogBytes' => [4 * KIB, GIB],
        'handshakes' => [1, 1_000_000],
        'openFiles' => [1, 1_000_000],
        'subscriptionBytes' => [0, 64 * GIB],
        'coroutines' => [1, 1_000_000],
        'pooledStacks' => [0, 1_000_000],
        'handshakeSeconds' => [0.001, 1e6],
        'writeSeconds' => [0.001, 1e6],
        'writeBytesPerSecond' => [0, GIB],
        'shutdownSeconds' => [0.001, 1e6],
        'bootSeconds' => [0.001, 1e6],
        'stallSeconds' => [0.0, 1e6],
        'killSeconds' => [0.0, 1e6],
        'queueSeconds' => [0.0, 1e6],
    ],
    Http\Limits::class => [
        'bodyBytes' => [0, 1024 * GIB],
        'bodyFileBytes' => [64 * KIB, GIB],
        'bodyStreamBytes' => [64 * KIB, 16 * MIB],
        'bodySeconds' => [0.001, 1e6],
        'bodyBytesPerSecond' => [0, GIB],
        'formFields' => [1, 100_000],
        'formBytes' => [KIB, GIB],
        'partHeadBytes' => [256, 65_536],
        'requestSeconds' => [0.0, 1e6],
        'headBytes' => [256, 65535],
        'headerFields' => [1, 1000],
        'headSeconds' => [0.001, 1e6],
        'keepAliveSeconds' => [0.001, 1e6],
        'keepAliveRequests' => [1, 1_000_000_000],
        'queuedBytes' => [64 * KIB, 4 * GIB],
        'highWaterBytes' => [KIB, 4 * GIB],
        'lowWaterBytes' => [0, 4 * GIB],
        'writeSeconds' => [0.001, 1e6],
        'writeBytesPerSecond' => [0, GIB],
    ],
    Http2\Limits::class => [
        'concurrentStreams' => [1, 10_000],
        'streamResets' => [1, 1_000_000],
        'pings' => [1, 1_000_000],
        'settingsFrames' => [1, 1_000_000],
        'emptyFrames' => [1, 1_000_000],
        'continuations' => [1, 7],
    ],
    WebSocket\Limits::class => [
        'messageBytes' => [1, GIB],
        'messageFragments' => [1, 1_000_000],
        'messageSeconds' => [0.001, 1e6],
        'messageBytesPerSecond' => [0, GIB],
        'handshakeSeconds' => [0.001, 1e6],
        'idleSeconds' => [0.0, 1e6],
        'closeSeconds' => [0.001, 1e6],
        'subscriptions' => [1, 65_535],
        'queuedBytes' => [64 * KIB, 4 * GIB],
        'highWaterBytes' => [KIB, 4 * GIB],
        'lowWaterBytes' => [0, 4 * GIB],
        'writeSeconds' => [0.001, 1e6],
        'writeBytesPerSecond' => [0, GIB],
    ],
    Tcp\Limits::class => [
        'messageBytes' => [1, GIB],
        'messageSeconds' => [0.001, 1e6],
        'messageBytesPerSecond' => [0, GIB],
        'idleSeconds' => [0.0, 1e6],
        'queuedBytes' => [64 * KIB, 4 * GIB],
        'highWaterBytes' => [KIB, 4 * GIB],
        'lowWaterBytes' => [0, 4 * GIB],
        'writeSeconds' => [0.001, 1e6],
        'writeBytesPerSecond' => [0, GIB],
    ],
    Udp\Limits::class => [
        'datagrams' => [1, 1_000_000],
    ],
];

/** The message of the ValueError that this value gives; '' when the value is allowed. */
function refusal(string $class, string $name, int|float $value): string
{
    // Room for the largest message, unless the arena's own range is tested.
    $around = match ($name) {
        'arenaBytes' => ['http' => new Http\Limits(bodyBytes: 0), 'webSocket' => new WebSocket\Limits(messageBytes: 1)],
        'highWaterBytes' => ['lowWaterBytes' => 0],
        'lowWaterBytes' => ['highWaterBytes' => 4 * GIB],
        default => $class === Limits::class ? ['arenaBytes' => 64 * GIB] : [],
    };
    try {
        $limits = new $class(...[...$around, $name => $value]);
    } catch (ValueError $e) {
        return $e->getMessage();
    }
    return $limits->$name === $value ? '' : "became {$limits->$name}";
}

foreach ($ranges as $class => $known) {
    foreach ((new ReflectionMethod($class, '__construct'))->getParameters() as $parameter) {
        $name = $parameter->name;
        $number = $parameter->getPosition() + 1;
        if (in_array($name, ['http', 'http2', 'webSocket', 'tcp', 'udp'], true)) {
            continue;
        }
        if (!isset($known[$name])) {
            echo "$name has no range in this test\n";
            continue;
        }
        [$least, $most] = $known[$name];
        $beyond = is_int($least) ? [$least - 1, $most + 1, PHP_INT_MIN, PHP_INT_MAX] : [$least - 0.0001, $most + 1, -1.0, NAN, INF, -INF];
        $seconds = is_int($least) ? '' : ' seconds';
        foreach ([$least, $most] as $value) {
            if (($refusal = refusal($class, $name, $value)) !== '') {
                echo "$name: $value is refused: $refusal\n";
            }
        }
        foreach ($beyond as $value) {
            $expected = "$class::__construct(): Argument #$number (\$$name) must be between $least and "
                . sprintf('%d', $most) . "$seconds, $value given";
            if (($refusal = refusal($class, $name, $value)) !== $expected) {
                echo "$name: for $value it says '$refusal' instead of '$expected'\n";
            }
        }
        unset($known[$name]);
    }
    echo $known === [] ? "$class: all as they should be\n" : 'no longer there: ' . implode(' ', array_keys($known)) . "\n";
}

/** @param array<string, int> $http */
function around(int $arenaBytes, int $messageBytes, array $http, int $temporaryFileBytes = GIB): Limits
{
    return new Limits(arenaBytes: $arenaBytes, temporaryFileBytes: $temporaryFileBytes, http: new Http\Limits(...$http),
        webSocket: new WebSocket\Limits(messageBytes: $messageBytes));
}
attempt('power of two', fn() => new Limits(ringBytes: 524289));
attempt('half', fn() => around(2 * MIB, MIB, ['bodyBytes' => MIB]));
attempt('half', fn() => around(2 * MIB, MIB + 1, ['bodyBytes' => MIB]));
attempt('half', fn() => new Limits(tcp: new Tcp\Limits(messageBytes: GIB)));
attempt('half', fn() => around(2 * MIB, MIB, ['bodyBytes' => MIB + 1]));
attempt('half', fn() => around(2 * MIB, MIB, ['bodyBytes' => GIB, 'bodyFileBytes' => MIB]));
attempt('half', fn() => around(2 * MIB, MIB, ['bodyBytes' => GIB, 'bodyFileBytes' => MIB + 1]));
attempt('half', fn() => around(2 * MIB, MIB, ['bodyBytes' => GIB], 0));
attempt('extents', fn() => around(64 * GIB, MIB, ['bodyBytes' => 4 * GIB], 0));
attempt('type', fn() => new Http\Limits(bodyBytes: 'long'));
attempt('type', fn() => new Limits(http: new WebSocket\Limits()));
attempt('places', function () {
    $server = new Server(limits: new Limits(arenaBytes: 8 * MIB, webSocket: new WebSocket\Limits(messageBytes: MIB)), reactors: 1);
    $site = $server->http('127.0.0.1:1', limits: new Http\Limits(bodyBytes: GIB, bodyFileBytes: 4 * MIB));
    foreach ([
        fn() => $server->http('127.0.0.1:2', limits: new Http\Limits(bodyFileBytes: 4 * MIB + 1)),
        fn() => $site->get('/a', fn() => null, limits: new Http\Limits(bodyFileBytes: 4 * MIB + 1)),
        fn() => $site->route('GET', '/a', fn() => null, limits: new Http\Limits(bodyFileBytes: 4 * MIB + 1)),
        fn() => $site->webSocket('/a', fn() => null, limits: new WebSocket\Limits(messageBytes: 4 * MIB + 1)),
        fn() => $server->tcp('127.0.0.1:3', Tcp\Framing::none(), fn() => null, limits: new Tcp\Limits(messageBytes: 4 * MIB + 1)),
        fn() => $site->webSocket('/a', fn() => null, limits: new WebSocket\Limits(messageBytes: 4 * MIB)),
        fn() => $site->webSocket('/b', fn() => null, limits: new Http\Limits()),
        fn() => $server->http('127.0.0.1:4', http2: new Http\Limits()),
        fn() => $site->get('/c', fn() => null, limits: new Http\Limits(bodyBytes: 1, headBytes: 1000)),
        fn() => $site->route('GET', '/c', fn() => null, limits: new Http\Limits(keepAliveRequests: 5)),
        fn() => $site->post('/c', fn() => null, limits: new Http\Limits(writeSeconds: 5.0)),
        fn() => $server->http('127.0.0.1:7', limits: new Http\Limits(highWaterBytes: 100_000)),
        fn() => $server->http('127.0.0.1:7', limits: new Http\Limits(highWaterBytes: 100_000, lowWaterBytes: 100_000)),
        fn() => $site->webSocket('/d', fn() => null, limits: new WebSocket\Limits(lowWaterBytes: 2 * MIB)),
        fn() => $server->tcp('127.0.0.1:8', Tcp\Framing::none(), fn() => null, limits: new Tcp\Limits(highWaterBytes: 1024)),
        fn() => $server->udp('127.0.0.1:5', fn() => null, new Udp\Limits(datagrams: 1)),
        fn() => $server->udp('127.0.0.1:6', fn() => null, new Tcp\Limits()),
    ] as $place) {
        attempt('place', $place);
    }
});
attempt('reactors', function () {
    $server = new Server(limits: new Limits(arenaBytes: 16 * MIB, http: new Http\Limits(bodyFileBytes: MIB), webSocket: new WebSocket\Limits(messageBytes: MIB)), reactors: 8);
    $server->http('127.0.0.1:1', limits: new Http\Limits(bodyFileBytes: MIB + 1));
});
attempt('marks', fn() => new Limits(tcp: new Tcp\Limits(highWaterBytes: 1024)));
$inherited = new Limits(queuedBytes: 70_000, writeSeconds: 5.0, tcp: new Tcp\Limits(writeSeconds: 6.0),
    http: new Http\Limits(formFields: 7), webSocket: new WebSocket\Limits(messageBytes: 5));
echo $inherited->http->formFields, ' ', $inherited->http->bodyBytes, ' ', $inherited->tcp->messageBytes, ' ', $inherited->webSocket->queuedBytes, ' ',
    $inherited->http->writeSeconds, ' ', $inherited->tcp->writeSeconds, "\n";
var_dump((new Http\Limits(formFields: 7))->bodyBytes);
attempt('type', fn() => new Limits(connections: 'many'));
attempt('type', fn() => new Limits(bootSeconds: []));
attempt('name', fn() => new Limits(conections: 1));
$limits = new Limits(connections: 5);
attempt('again', fn() => $limits->__construct(connections: 6));
attempt('change', function () use ($limits) { $limits->connections = 7; });
echo $limits->connections, "\n";
?>
--EXPECT--
Sluice\Limits: all as they should be
Sluice\Http\Limits: all as they should be
Sluice\Http2\Limits: all as they should be
Sluice\WebSocket\Limits: all as they should be
Sluice\Tcp\Limits: all as they should be
Sluice\Udp\Limits: all as they should be
ValueError: Sluice\Limits::__construct(): Argument #5 ($ringBytes) must be a power of two, 524289 given
half: fine
ValueError: Sluice\Limits::__construct(): Argument #34 ($webSocket) must have $messageBytes of at most half of Limits::$arenaBytes, which is 1048576, 1048577 given
ValueError: Sluice\Limits::__construct(): Argument #35 ($tcp) must have $messageBytes of at most half of Limits::$arenaBytes, which is 134217728, 1073741824 given
ValueError: Sluice\Limits::__construct(): Argument #32 ($http) must have $bodyBytes of at most half of Limits::$arenaBytes, which is 1048576, 1048577 given
half: fine
ValueError: Sluice\Limits::__construct(): Argument #32 ($http) must have $bodyFileBytes of at most half of Limits::$arenaBytes, which is 1048576, 1048577 given
ValueError: Sluice\Limits::__construct(): Argument #32 ($http) must have $bodyBytes of at most half of Limits::$arenaBytes, which is 1048576, 1073741824 given
ValueError: Sluice\Limits::__construct(): Argument #32 ($http) must have $bodyBytes of at most 4294967295 without temporary files, 4294967296 given
TypeError: Sluice\Http\Limits::__construct(): Argument #1 ($bodyBytes) must be of type ?int, string given
TypeError: Sluice\Limits::__construct(): Argument #32 ($http) must be of type ?Sluice\Http\Limits, Sluice\WebSocket\Limits given
ValueError: Sluice\Server::http(): Argument #4 ($limits) must have $bodyFileBytes of at most half of Limits::$arenaBytes, which is 4194304, 4194305 given
ValueError: Sluice\Http\Site::get(): Argument #4 ($limits) must have $bodyFileBytes of at most half of Limits::$arenaBytes, which is 4194304, 4194305 given
ValueError: Sluice\Http\Site::route(): Argument #5 ($limits) must have $bodyFileBytes of at most half of Limits::$arenaBytes, which is 4194304, 4194305 given
ValueError: Sluice\Http\Site::webSocket(): Argument #4 ($limits) must have $messageBytes of at most half of Limits::$arenaBytes, which is 4194304, 4194305 given
ValueError: Sluice\Server::tcp(): Argument #4 ($limits) must have $messageBytes of at most half of Limits::$arenaBytes, which is 4194304, 4194305 given
place: fine
TypeError: Sluice\Http\Site::webSocket(): Argument #4 ($limits) must be of type ?Sluice\WebSocket\Limits, Sluice\Http\Limits given
TypeError: Sluice\Server::http(): Argument #5 ($http2) must be of type ?Sluice\Http2\Limits, Sluice\Http\Limits given
ValueError: Sluice\Http\Site::get(): Argument #4 ($limits) must not have $headBytes, which is for whole sites only
ValueError: Sluice\Http\Site::route(): Argument #5 ($limits) must not have $keepAliveRequests, which is for whole sites only
ValueError: Sluice\Http\Site::post(): Argument #4 ($limits) must not have $writeSeconds, which is for whole sites only
ValueError: Sluice\Server::http(): Argument #4 ($limits) must have $lowWaterBytes of at most $highWaterBytes, which is 100000, 262144 given
place: fine
ValueError: Sluice\Http\Site::webSocket(): Argument #4 ($limits) must have $lowWaterBytes of at most $highWaterBytes, which is 1048576, 2097152 given
ValueError: Sluice\Server::tcp(): Argument #4 ($limits) must have $lowWaterBytes of at most $highWaterBytes, which is 1024, 262144 given
place: fine
TypeError: Sluice\Server::udp(): Argument #3 ($limits) must be of type ?Sluice\Udp\Limits, Sluice\Tcp\Limits given
places: fine
ValueError: Sluice\Server::http(): Argument #4 ($limits) must let the share of each of the 8 reactors in Limits::$arenaBytes (16777216) hold two messages: at most 1048576 bytes for one, 1048577 given
ValueError: Sluice\Limits::__construct(): Argument #35 ($tcp) must have $lowWaterBytes of at most $highWaterBytes, which is 1024, 262144 given
7 16777216 5 70000 5 6
NULL
TypeError: Sluice\Limits::__construct(): Argument #1 ($connections) must be of type int, string given
TypeError: Sluice\Limits::__construct(): Argument #28 ($bootSeconds) must be of type float, array given
Error: Unknown named parameter $conections
Error: Sluice\Limits is constructed already and cannot be changed
Error: Cannot modify readonly property Sluice\Limits::$connections
5
