--TEST--
SlowClient: the cases, where each may stand, and the marks that go with it
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Limits, Server, SlowClient};
use Sluice\Tcp\Framing;
use Sluice\WebSocket\{Compression, Options};

echo implode(' ', array_column(SlowClient::cases(), 'name')), "\n";
$server = new Server();
$site = $server->http('127.0.0.1:1', fn() => null);
$f = fn() => null;
foreach (SlowClient::cases() as $number => $policy) {
    attempt("route $policy->name", fn() => $site->webSocket("/$number", $f, new Options(slowClient: $policy)));
    attempt("compressed $policy->name", fn() => $site->webSocket("/c$number", $f, new Options(compression: new Compression(), slowClient: $policy)));
    attempt("context $policy->name", fn() => $site->webSocket("/t$number", $f, new Options(compression: new Compression(serverTakeover: true), slowClient: $policy)));
    attempt("tcp $policy->name", fn() => $server->tcp('127.0.0.1:' . 2 + $number, Framing::line(), $f, slowClient: $policy));
}
attempt('type', fn() => new Options(slowClient: 'wait'));
attempt('marks', fn() => new Limits(highWaterBytes: 1000_000, lowWaterBytes: 1000_000));
attempt('marks', fn() => new Limits(highWaterBytes: 1000_000, lowWaterBytes: 1000_001));
?>
--EXPECTF--
Wait DropNewest DropOldest Close
route Wait: fine
compressed Wait: fine
context Wait: fine
tcp Wait: fine
route DropNewest: fine
compressed DropNewest: fine
context DropNewest: fine
tcp DropNewest: fine
route DropOldest: fine
compressed DropOldest: fine
ValueError: Sluice\WebSocket\Options::__construct(): Argument #5 ($slowClient) must not be SlowClient::DropOldest with compression that has serverTakeover
ValueError: Sluice\Server::tcp(): Argument #5 ($slowClient) must not be SlowClient::DropOldest: it would leave a hole in the stream
route Close: fine
compressed Close: fine
context Close: fine
tcp Close: fine
TypeError: Sluice\WebSocket\Options::__construct(): Argument #5 ($slowClient) must be of type Sluice\SlowClient, string given
marks: fine
ValueError: Sluice\Limits::__construct(): Argument #%d ($lowWaterBytes) must be at most $highWaterBytes, which is 1000000, 1000001 given
