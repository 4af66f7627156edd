--TEST--
Limits: the defaults, which the documentation states
--EXTENSIONS--
sluice
--FILE--
<?php
foreach (get_object_vars(new Sluice\Limits()) as $name => $value) {
    if (!is_object($value)) {
        echo "$name ", var_export($value, true), "\n";
        continue;
    }
    foreach (get_object_vars($value) as $theirs => $default) {
        echo "$name.$theirs ", var_export($default, true), "\n";
    }
}
// The constructor gives the defaults that its signature names.
foreach ((new ReflectionMethod(Sluice\Limits::class, '__construct'))->getParameters() as $parameter) {
    if ($parameter->getDefaultValue() !== (new Sluice\Limits())->{$parameter->name} && $parameter->getDefaultValue() !== null) {
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
temporaryFileBytes 1073741824
bodyStreams 1000
queuedBytes 16777216
highWaterBytes 1048576
lowWaterBytes 262144
queuedTotalBytes 536870912
compressionBytes 67108864
attachedBytes 4096
attachedTotalBytes 67108864
encodingBytes 67108864
accessLogBytes 1048576
handshakes 1000
openFiles 1024
subscriptionBytes 268435456
coroutines 10000
pooledStacks 256
handshakeSeconds 10.0
writeSeconds 30.0
writeBytesPerSecond 240
shutdownSeconds 10.0
bootSeconds 60.0
stallSeconds 1.0
killSeconds 60.0
queueSeconds 10.0
http.bodyBytes 16777216
http.bodyFileBytes 4194304
http.bodyStreamBytes 131072
http.bodySeconds 30.0
http.bodyBytesPerSecond 240
http.formFields 1000
http.formBytes 16777216
http.partHeadBytes 8192
http.requestSeconds 60.0
http.headBytes 16384
http.headerFields 100
http.headSeconds 10.0
http.keepAliveSeconds 75.0
http.keepAliveRequests 10000
http.queuedBytes 16777216
http.highWaterBytes 1048576
http.lowWaterBytes 262144
http.writeSeconds 30.0
http.writeBytesPerSecond 240
http2.concurrentStreams 128
http2.streamResets 200
http2.pings 100
http2.settingsFrames 100
http2.emptyFrames 200
http2.continuations 7
webSocket.messageBytes 16777216
webSocket.messageFragments 1024
webSocket.messageSeconds 30.0
webSocket.messageBytesPerSecond 240
webSocket.handshakeSeconds 10.0
webSocket.idleSeconds 0.0
webSocket.closeSeconds 5.0
webSocket.subscriptions 1000
webSocket.queuedBytes 16777216
webSocket.highWaterBytes 1048576
webSocket.lowWaterBytes 262144
webSocket.writeSeconds 30.0
webSocket.writeBytesPerSecond 240
tcp.messageBytes 16777216
tcp.messageSeconds 30.0
tcp.messageBytesPerSecond 240
tcp.idleSeconds 0.0
tcp.queuedBytes 16777216
tcp.highWaterBytes 1048576
tcp.lowWaterBytes 262144
tcp.writeSeconds 30.0
tcp.writeBytesPerSecond 240
udp.datagrams 4096
