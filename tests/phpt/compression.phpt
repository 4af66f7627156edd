--TEST--
WebSocket\Compression: defaults, ranges, and that it cannot be changed
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\WebSocket\{Compression, Options};

foreach (get_object_vars(new Compression()) as $name => $value) {
    echo "$name ", var_export($value, true), "\n";
}
foreach ((new ReflectionMethod(Compression::class, '__construct'))->getParameters() as $parameter) {
    if ($parameter->getDefaultValue() !== (new Compression())->{$parameter->name}) {
        echo "$parameter->name differs\n";
    }
}
foreach (['serverWindowBits' => [9, 15], 'clientWindowBits' => [9, 15], 'level' => [1, 9], 'minBytes' => [0, 1 << 30]] as $name => [$least, $most]) {
    attempt($name, fn() => new Compression(...[$name => $least]));
    attempt($name, fn() => new Compression(...[$name => $most]));
    attempt($name, fn() => new Compression(...[$name => $least - 1]));
    attempt($name, fn() => new Compression(...[$name => $most + 1]));
}
$compression = new Compression(serverTakeover: true, clientTakeover: true);
var_dump($compression->serverTakeover, $compression->clientTakeover);
attempt('again', fn() => $compression->__construct());
attempt('change', function () use ($compression) { $compression->level = 2; });
$site = (new Sluice\Server())->http('127.0.0.1:0', fn() => null);
attempt('with', fn() => $site->webSocket('/with', fn() => null, new Options(compression: $compression)));
attempt('without', fn() => $site->webSocket('/without', fn() => null, new Options(compression: null)));
attempt('wrong', fn() => new Options(compression: true));
?>
--EXPECTF--
serverTakeover false
clientTakeover false
serverWindowBits 15
clientWindowBits 15
level 1
minBytes 256
serverWindowBits: fine
serverWindowBits: fine
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #3 ($serverWindowBits) must be between 9 and 15, 8 given
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #3 ($serverWindowBits) must be between 9 and 15, 16 given
clientWindowBits: fine
clientWindowBits: fine
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #4 ($clientWindowBits) must be between 9 and 15, 8 given
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #4 ($clientWindowBits) must be between 9 and 15, 16 given
level: fine
level: fine
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #5 ($level) must be between 1 and 9, 0 given
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #5 ($level) must be between 1 and 9, 10 given
minBytes: fine
minBytes: fine
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #6 ($minBytes) must be between 0 and 1073741824, -1 given
ValueError: Sluice\WebSocket\Compression::__construct(): Argument #6 ($minBytes) must be between 0 and 1073741824, 1073741825 given
bool(true)
bool(true)
Error: Sluice\WebSocket\Compression is constructed already and cannot be changed
Error: Cannot modify readonly property Sluice\WebSocket\Compression::$level
with: fine
without: fine
TypeError: Sluice\WebSocket\Options::__construct(): Argument #3 ($compression) must be of type ?Sluice\WebSocket\Compression, %s given
