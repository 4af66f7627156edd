--TEST--
Limits: the defaults, which the documentation states
--EXTENSIONS--
sluice
--FILE--
<?php
foreach (get_object_vars(new Sluice\Limits()) as $name => $value) {
    echo "$name ", var_export($value, true), "\n";
}
// What the constructor's signature says is what it does.
foreach ((new ReflectionMethod(Sluice\Limits::class, '__construct'))->getParameters() as $parameter) {
    if ($parameter->getDefaultValue() !== (new Sluice\Limits())->{$parameter->name}) {
        echo "$parameter->name differs\n";
    }
}
?>
--EXPECT--
connections 65536
connectionsPerAddress 0
connectionsPerAddressPerSecond 0
arenaBytes 268435456
ringBytes 1048576
outBytes 67108864
lentBytes 33554432
messageBytes 16777216
bodyBytes 16777216
bodyFileBytes 4194304
temporaryFileBytes 1073741824
bodyStreams 1000
bodyStreamBytes 131072
headBytes 16384
headerFields 100
messageFragments 1024
queuedBytes 16777216
highWaterBytes 1048576
lowWaterBytes 262144
queuedTotalBytes 536870912
keepAliveRequests 10000
formFields 1000
formBytes 16777216
partHeadBytes 8192
compressionBytes 67108864
encodingBytes 67108864
accessLogBytes 1048576
handshakes 1000
openFiles 1024
subscriptions 1000
datagrams 4096
coroutines 10000
pooledStacks 256
concurrentStreams 128
streamResets 200
pings 100
settingsFrames 100
emptyFrames 200
continuations 7
handshakeSeconds 10.0
headSeconds 10.0
bodySeconds 30.0
bodyBytesPerSecond 240
writeSeconds 30.0
writeBytesPerSecond 240
keepAliveSeconds 75.0
idleSeconds 0.0
closeSeconds 5.0
shutdownSeconds 10.0
bootSeconds 60.0
requestSeconds 0.0
stallSeconds 1.0
killSeconds 60.0
