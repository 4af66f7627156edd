--TEST--
Limits: both ends of each range are allowed, what lies beyond is named
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Limits;

const KIB = 1024, MIB = 1024 * KIB, GIB = 1024 * MIB;
$ranges = [
    'connections' => [1, 1_000_000],
    'connectionsPerAddress' => [0, 1_000_000],
    'connectionsPerAddressPerSecond' => [0, 1_000_000],
    'arenaBytes' => [MIB, 64 * GIB],
    'ringBytes' => [512 * KIB, 64 * MIB],
    'outBytes' => [MIB, 64 * GIB],
    'lentBytes' => [0, 64 * GIB],
    'messageBytes' => [1, GIB],
    'bodyBytes' => [0, 1024 * GIB],
    'bodyFileBytes' => [64 * KIB, GIB],
    'temporaryFileBytes' => [0, 16_384 * GIB],
    'bodyStreams' => [1, 1_000_000],
    'bodyStreamBytes' => [64 * KIB, 16 * MIB],
    'headBytes' => [256, 65535],
    'headerFields' => [1, 1000],
    'messageFragments' => [1, 1_000_000],
    'queuedBytes' => [64 * KIB, 4 * GIB],
    'highWaterBytes' => [KIB, 4 * GIB],
    'lowWaterBytes' => [0, 4 * GIB],
    'queuedTotalBytes' => [MIB, 64 * GIB],
    'keepAliveRequests' => [1, 1_000_000_000],
    'formFields' => [1, 100_000],
    'formBytes' => [KIB, GIB],
    'partHeadBytes' => [256, 65_536],
    'compressionBytes' => [0, 64 * GIB],
    'encodingBytes' => [0, 64 * GIB],
    'accessLogBytes' => [4 * KIB, GIB],
    'handshakes' => [1, 1_000_000],
    'openFiles' => [1, 1_000_000],
    'subscriptions' => [1, 65_535],
    'datagrams' => [1, 1_000_000],
    'coroutines' => [1, 1_000_000],
    'pooledStacks' => [0, 1_000_000],
    'concurrentStreams' => [1, 10_000],
    'streamResets' => [1, 1_000_000],
    'pings' => [1, 1_000_000],
    'settingsFrames' => [1, 1_000_000],
    'emptyFrames' => [1, 1_000_000],
    'continuations' => [1, 7],
    'handshakeSeconds' => [0.001, 1e6],
    'headSeconds' => [0.001, 1e6],
    'bodySeconds' => [0.001, 1e6],
    'bodyBytesPerSecond' => [0, GIB],
    'writeSeconds' => [0.001, 1e6],
    'writeBytesPerSecond' => [0, GIB],
    'keepAliveSeconds' => [0.001, 1e6],
    'idleSeconds' => [0.0, 1e6],
    'closeSeconds' => [0.001, 1e6],
    'shutdownSeconds' => [0.001, 1e6],
    'bootSeconds' => [0.001, 1e6],
    'requestSeconds' => [0.0, 1e6],
    'stallSeconds' => [0.0, 1e6],
    'killSeconds' => [0.0, 1e6],
];

/** The message of the ValueError that this value gives; '' when it is allowed. */
function refusal(string $name, int|float $value): string
{
    // Room for the largest message, unless the arena itself is looked at.
    $around = match ($name) {
        'arenaBytes' => ['messageBytes' => 1, 'bodyBytes' => 0],
        'highWaterBytes' => ['lowWaterBytes' => 0],
        'lowWaterBytes' => ['highWaterBytes' => 4 * GIB],
        default => ['arenaBytes' => 64 * GIB],
    };
    try {
        $limits = new Limits(...[...$around, $name => $value]);
    } catch (ValueError $e) {
        return $e->getMessage();
    }
    return $limits->$name === $value ? '' : "became {$limits->$name}";
}

foreach ((new ReflectionMethod(Limits::class, '__construct'))->getParameters() as $parameter) {
    $name = $parameter->name;
    $number = $parameter->getPosition() + 1;
    if (!isset($ranges[$name])) {
        echo "$name has no range in this test\n";
        continue;
    }
    [$least, $most] = $ranges[$name];
    $beyond = is_int($least) ? [$least - 1, $most + 1, PHP_INT_MIN, PHP_INT_MAX] : [$least - 0.0001, $most + 1, -1.0, NAN, INF, -INF];
    $seconds = is_int($least) ? '' : ' seconds';
    foreach ([$least, $most] as $value) {
        if (($refusal = refusal($name, $value)) !== '') {
            echo "$name: $value is refused: $refusal\n";
        }
    }
    foreach ($beyond as $value) {
        $expected = "Sluice\\Limits::__construct(): Argument #$number (\$$name) must be between $least and "
            . sprintf('%d', $most) . "$seconds, $value given";
        if (($refusal = refusal($name, $value)) !== $expected) {
            echo "$name: for $value it says '$refusal' instead of '$expected'\n";
        }
    }
    unset($ranges[$name]);
}
echo $ranges === [] ? "all as they should be\n" : 'no longer there: ' . implode(' ', array_keys($ranges)) . "\n";

attempt('power of two', fn() => new Limits(ringBytes: 524289));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB, bodyBytes: MIB));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB + 1, bodyBytes: MIB));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB, bodyBytes: MIB + 1));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB, bodyBytes: GIB, bodyFileBytes: MIB));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB, bodyBytes: GIB, bodyFileBytes: MIB + 1));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB, bodyBytes: GIB, temporaryFileBytes: 0));
attempt('slots', fn() => new Limits(arenaBytes: 64 * GIB, bodyBytes: 4 * GIB, temporaryFileBytes: 0));
attempt('type', fn() => new Limits(connections: 'many'));
attempt('type', fn() => new Limits(headSeconds: []));
attempt('name', fn() => new Limits(conections: 1));
$limits = new Limits(connections: 5);
attempt('again', fn() => $limits->__construct(connections: 6));
attempt('change', function () use ($limits) { $limits->connections = 7; });
echo $limits->connections, "\n";
?>
--EXPECT--
all as they should be
ValueError: Sluice\Limits::__construct(): Argument #5 ($ringBytes) must be a power of two, 524289 given
half: fine
ValueError: Sluice\Limits::__construct(): Argument #8 ($messageBytes) must be at most half of $arenaBytes, which is 1048576, 1048577 given
ValueError: Sluice\Limits::__construct(): Argument #9 ($bodyBytes) must be at most half of $arenaBytes, which is 1048576, 1048577 given
half: fine
ValueError: Sluice\Limits::__construct(): Argument #10 ($bodyFileBytes) must be at most half of $arenaBytes, which is 1048576, 1048577 given
ValueError: Sluice\Limits::__construct(): Argument #9 ($bodyBytes) must be at most half of $arenaBytes, which is 1048576, 1073741824 given
ValueError: Sluice\Limits::__construct(): Argument #9 ($bodyBytes) must be at most 4294967295 without temporary files, 4294967296 given
TypeError: Sluice\Limits::__construct(): Argument #1 ($connections) must be of type int, string given
TypeError: Sluice\Limits::__construct(): Argument #41 ($headSeconds) must be of type float, array given
Error: Unknown named parameter $conections
Error: Sluice\Limits is constructed already and cannot be changed
Error: Cannot modify readonly property Sluice\Limits::$connections
5
