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
    'arenaBytes' => [MIB, 64 * GIB],
    'ringBytes' => [512 * KIB, 64 * MIB],
    'outBytes' => [MIB, 64 * GIB],
    'lentBytes' => [0, 64 * GIB],
    'messageBytes' => [1, GIB],
    'bodyBytes' => [0, GIB],
    'headBytes' => [256, 65535],
    'headerFields' => [1, 1000],
    'queuedBytes' => [64 * KIB, 4 * GIB],
    'formFields' => [1, 100_000],
    'partHeadBytes' => [256, 65_536],
    'compressionBytes' => [0, 64 * GIB],
];
// Room for the largest message, unless the arena itself is looked at.
$around = fn(string $name) => $name === 'arenaBytes' ? ['messageBytes' => 1, 'bodyBytes' => 0] : ['arenaBytes' => 64 * GIB];
foreach ($ranges as $name => [$least, $most]) {
    attempt($name, fn() => new Limits(...[...$around($name), $name => $least]));
    attempt($name, fn() => new Limits(...[...$around($name), $name => $most]));
    attempt($name, fn() => new Limits(...[...$around($name), $name => $least - 1]));
    attempt($name, fn() => new Limits(...[...$around($name), $name => $most + 1]));
}
foreach (['handshake', 'head', 'body', 'write', 'keepAlive', 'close', 'shutdown'] as $name) {
    attempt("{$name}Seconds", fn() => new Limits(...["{$name}Seconds" => 0.001]));
    attempt("{$name}Seconds", fn() => new Limits(...["{$name}Seconds" => 1e6]));
    attempt("{$name}Seconds", fn() => new Limits(...["{$name}Seconds" => 0.0009]));
    attempt("{$name}Seconds", fn() => new Limits(...["{$name}Seconds" => 1e6 + 1]));
    attempt("{$name}Seconds", fn() => new Limits(...["{$name}Seconds" => NAN]));
    attempt("{$name}Seconds", fn() => new Limits(...["{$name}Seconds" => -INF]));
}
attempt('power of two', fn() => new Limits(ringBytes: 524289));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB, bodyBytes: MIB));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB + 1, bodyBytes: MIB));
attempt('half', fn() => new Limits(arenaBytes: 2 * MIB, messageBytes: MIB, bodyBytes: MIB + 1));
$limits = new Limits(connections: 5);
attempt('again', fn() => $limits->__construct(connections: 6));
attempt('change', function () use ($limits) { $limits->connections = 7; });
echo $limits->connections, "\n";
?>
--EXPECT--
connections: fine
connections: fine
ValueError: Sluice\Limits::__construct(): Argument #1 ($connections) must be between 1 and 1000000, 0 given
ValueError: Sluice\Limits::__construct(): Argument #1 ($connections) must be between 1 and 1000000, 1000001 given
arenaBytes: fine
arenaBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #2 ($arenaBytes) must be between 1048576 and 68719476736, 1048575 given
ValueError: Sluice\Limits::__construct(): Argument #2 ($arenaBytes) must be between 1048576 and 68719476736, 68719476737 given
ringBytes: fine
ringBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #3 ($ringBytes) must be between 524288 and 67108864, 524287 given
ValueError: Sluice\Limits::__construct(): Argument #3 ($ringBytes) must be between 524288 and 67108864, 67108865 given
outBytes: fine
outBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #4 ($outBytes) must be between 1048576 and 68719476736, 1048575 given
ValueError: Sluice\Limits::__construct(): Argument #4 ($outBytes) must be between 1048576 and 68719476736, 68719476737 given
lentBytes: fine
lentBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #5 ($lentBytes) must be between 0 and 68719476736, -1 given
ValueError: Sluice\Limits::__construct(): Argument #5 ($lentBytes) must be between 0 and 68719476736, 68719476737 given
messageBytes: fine
messageBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #6 ($messageBytes) must be between 1 and 1073741824, 0 given
ValueError: Sluice\Limits::__construct(): Argument #6 ($messageBytes) must be between 1 and 1073741824, 1073741825 given
bodyBytes: fine
bodyBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #7 ($bodyBytes) must be between 0 and 1073741824, -1 given
ValueError: Sluice\Limits::__construct(): Argument #7 ($bodyBytes) must be between 0 and 1073741824, 1073741825 given
headBytes: fine
headBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #8 ($headBytes) must be between 256 and 65535, 255 given
ValueError: Sluice\Limits::__construct(): Argument #8 ($headBytes) must be between 256 and 65535, 65536 given
headerFields: fine
headerFields: fine
ValueError: Sluice\Limits::__construct(): Argument #9 ($headerFields) must be between 1 and 1000, 0 given
ValueError: Sluice\Limits::__construct(): Argument #9 ($headerFields) must be between 1 and 1000, 1001 given
queuedBytes: fine
queuedBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #10 ($queuedBytes) must be between 65536 and 4294967296, 65535 given
ValueError: Sluice\Limits::__construct(): Argument #10 ($queuedBytes) must be between 65536 and 4294967296, 4294967297 given
formFields: fine
formFields: fine
ValueError: Sluice\Limits::__construct(): Argument #11 ($formFields) must be between 1 and 100000, 0 given
ValueError: Sluice\Limits::__construct(): Argument #11 ($formFields) must be between 1 and 100000, 100001 given
partHeadBytes: fine
partHeadBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #12 ($partHeadBytes) must be between 256 and 65536, 255 given
ValueError: Sluice\Limits::__construct(): Argument #12 ($partHeadBytes) must be between 256 and 65536, 65537 given
compressionBytes: fine
compressionBytes: fine
ValueError: Sluice\Limits::__construct(): Argument #13 ($compressionBytes) must be between 0 and 68719476736, -1 given
ValueError: Sluice\Limits::__construct(): Argument #13 ($compressionBytes) must be between 0 and 68719476736, 68719476737 given
handshakeSeconds: fine
handshakeSeconds: fine
ValueError: Sluice\Limits::__construct(): Argument #14 ($handshakeSeconds) must be between 0.001 and 1000000 seconds, 0.0009 given
ValueError: Sluice\Limits::__construct(): Argument #14 ($handshakeSeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\Limits::__construct(): Argument #14 ($handshakeSeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\Limits::__construct(): Argument #14 ($handshakeSeconds) must be between 0.001 and 1000000 seconds, -INF given
headSeconds: fine
headSeconds: fine
ValueError: Sluice\Limits::__construct(): Argument #15 ($headSeconds) must be between 0.001 and 1000000 seconds, 0.0009 given
ValueError: Sluice\Limits::__construct(): Argument #15 ($headSeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\Limits::__construct(): Argument #15 ($headSeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\Limits::__construct(): Argument #15 ($headSeconds) must be between 0.001 and 1000000 seconds, -INF given
bodySeconds: fine
bodySeconds: fine
ValueError: Sluice\Limits::__construct(): Argument #16 ($bodySeconds) must be between 0.001 and 1000000 seconds, 0.0009 given
ValueError: Sluice\Limits::__construct(): Argument #16 ($bodySeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\Limits::__construct(): Argument #16 ($bodySeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\Limits::__construct(): Argument #16 ($bodySeconds) must be between 0.001 and 1000000 seconds, -INF given
writeSeconds: fine
writeSeconds: fine
ValueError: Sluice\Limits::__construct(): Argument #17 ($writeSeconds) must be between 0.001 and 1000000 seconds, 0.0009 given
ValueError: Sluice\Limits::__construct(): Argument #17 ($writeSeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\Limits::__construct(): Argument #17 ($writeSeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\Limits::__construct(): Argument #17 ($writeSeconds) must be between 0.001 and 1000000 seconds, -INF given
keepAliveSeconds: fine
keepAliveSeconds: fine
ValueError: Sluice\Limits::__construct(): Argument #18 ($keepAliveSeconds) must be between 0.001 and 1000000 seconds, 0.0009 given
ValueError: Sluice\Limits::__construct(): Argument #18 ($keepAliveSeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\Limits::__construct(): Argument #18 ($keepAliveSeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\Limits::__construct(): Argument #18 ($keepAliveSeconds) must be between 0.001 and 1000000 seconds, -INF given
closeSeconds: fine
closeSeconds: fine
ValueError: Sluice\Limits::__construct(): Argument #19 ($closeSeconds) must be between 0.001 and 1000000 seconds, 0.0009 given
ValueError: Sluice\Limits::__construct(): Argument #19 ($closeSeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\Limits::__construct(): Argument #19 ($closeSeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\Limits::__construct(): Argument #19 ($closeSeconds) must be between 0.001 and 1000000 seconds, -INF given
shutdownSeconds: fine
shutdownSeconds: fine
ValueError: Sluice\Limits::__construct(): Argument #20 ($shutdownSeconds) must be between 0.001 and 1000000 seconds, 0.0009 given
ValueError: Sluice\Limits::__construct(): Argument #20 ($shutdownSeconds) must be between 0.001 and 1000000 seconds, 1000001 given
ValueError: Sluice\Limits::__construct(): Argument #20 ($shutdownSeconds) must be between 0.001 and 1000000 seconds, NAN given
ValueError: Sluice\Limits::__construct(): Argument #20 ($shutdownSeconds) must be between 0.001 and 1000000 seconds, -INF given
ValueError: Sluice\Limits::__construct(): Argument #3 ($ringBytes) must be a power of two, 524289 given
half: fine
ValueError: Sluice\Limits::__construct(): Argument #6 ($messageBytes) must be at most half of $arenaBytes, which is 1048576, 1048577 given
ValueError: Sluice\Limits::__construct(): Argument #7 ($bodyBytes) must be at most half of $arenaBytes, which is 1048576, 1048577 given
Error: Sluice\Limits is constructed already and cannot be changed
Error: Cannot modify readonly property Sluice\Limits::$connections
5
