--TEST--
What only a worker can do says so elsewhere; arguments are checked before
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Server, Tcp, Timer, WebSocket, Worker};

var_dump(Worker::current(), Worker::lentBytes());
$server = new Server();
foreach (['reload', 'stop', 'addresses', 'stats', 'run'] as $method) {
    attempt($method, fn() => $server->$method());
}
attempt('publish', fn() => $server->publish('topic', 'data'));
attempt('publish', fn() => $server->publish('', 'data'));
attempt('publish', fn() => $server->publish(str_repeat('t', 256), 'data'));
attempt('publish', fn() => $server->publish('topic', "\xff"));
attempt('publish', fn() => $server->publish('topic', "\xff", binary: true));
$who = WebSocket\Connection::fromId(1);
foreach (['isOpen', 'queuedBytes', 'peer', 'ping', 'close'] as $method) {
    attempt($method, fn() => $who->$method());
}
attempt('send', fn() => $who->send('ä'));
attempt('send', fn() => $who->send("\xc3"));
attempt('send', fn() => $who->send("\xc3", true));
attempt('sendMany', fn() => WebSocket\Connection::sendMany([1], 'data'));
attempt('sendMany', fn() => WebSocket\Connection::sendMany([1], "\xff"));
attempt('ping', fn() => $who->ping(str_repeat('p', 125)));
attempt('ping', fn() => $who->ping(str_repeat('p', 126)));
foreach ([1000, 1003, 1007, 1009, 1011, 1014, 3000, 4999, -1, 0, 999, 1004, 1005, 1006, 1010, 1015, 2999, 5000, 66536] as $code) {
    attempt('close', fn() => $who->close($code));
}
attempt('close', fn() => $who->close(1000, str_repeat('r', 123)));
attempt('close', fn() => $who->close(1000, str_repeat('r', 124)));
attempt('close', fn() => $who->close(1000, "\xff"));
foreach (['subscribe', 'unsubscribe'] as $method) {
    attempt($method, fn() => $who->$method('topic'));
    attempt($method, fn() => $who->$method(''));
}
attempt('publish', fn() => $who->publish('topic', 'data', exceptSelf: true));
$from = Tcp\Connection::fromId(1);
foreach (['isOpen', 'queuedBytes', 'peer', 'close'] as $method) {
    attempt($method, fn() => $from->$method());
}
attempt('send', fn() => $from->send("\xff"));
attempt('after', fn() => Timer::after(0, fn() => null));
attempt('after', fn() => Timer::after(-0.1, fn() => null));
attempt('after', fn() => Timer::after(1e9 + 1, fn() => null));
attempt('after', fn() => Timer::after(NAN, fn() => null));
attempt('after', fn() => Timer::after(1, 'there_is_none'));
attempt('every', fn() => Timer::every(0.001, fn() => null));
attempt('every', fn() => Timer::every(0, fn() => null));
?>
--EXPECT--
NULL
int(0)
Sluice\ServerException: Sluice\Server::reload() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Server::stop() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Server::addresses() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Server::stats() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: The server has no listener: call http(), tcp() or udp() before run()
Sluice\ServerException: Sluice\Server::publish() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\Server::publish(): Argument #1 ($topic) must be between 1 and 255 bytes long, 0 given
ValueError: Sluice\Server::publish(): Argument #1 ($topic) must be between 1 and 255 bytes long, 256 given
ValueError: Sluice\Server::publish(): Argument #2 ($data) must be UTF-8 unless $binary is true
Sluice\ServerException: Sluice\Server::publish() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::isOpen() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::queuedBytes() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::peer() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::ping() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::send() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\WebSocket\Connection::send(): Argument #1 ($data) must be UTF-8 unless $binary is true
Sluice\ServerException: Sluice\WebSocket\Connection::send() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::sendMany() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\WebSocket\Connection::sendMany(): Argument #2 ($data) must be UTF-8 unless $binary is true
Sluice\ServerException: Sluice\WebSocket\Connection::ping() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\WebSocket\Connection::ping(): Argument #1 ($data) must be at most 125 bytes long, 126 given
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, -1 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 0 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 999 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 1004 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 1005 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 1006 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 1010 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 1015 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 2999 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 5000 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, 66536 given
Sluice\ServerException: Sluice\WebSocket\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\WebSocket\Connection::close(): Argument #2 ($reason) must be at most 123 bytes long, 124 given
ValueError: Sluice\WebSocket\Connection::close(): Argument #2 ($reason) must be UTF-8
Sluice\ServerException: Sluice\WebSocket\Connection::subscribe() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\WebSocket\Connection::subscribe(): Argument #1 ($topic) must be between 1 and 255 bytes long, 0 given
Sluice\ServerException: Sluice\WebSocket\Connection::unsubscribe() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\WebSocket\Connection::unsubscribe(): Argument #1 ($topic) must be between 1 and 255 bytes long, 0 given
Sluice\ServerException: Sluice\WebSocket\Connection::publish() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Tcp\Connection::isOpen() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Tcp\Connection::queuedBytes() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Tcp\Connection::peer() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Tcp\Connection::close() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Tcp\Connection::send() was called outside a worker: call it in a handler, a timer or onWorkerStart()
Sluice\ServerException: Sluice\Timer::after() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\Timer::after(): Argument #1 ($seconds) must be between 0 and 1e9 seconds, -0.1 given
ValueError: Sluice\Timer::after(): Argument #1 ($seconds) must be between 0 and 1e9 seconds, 1000000001 given
ValueError: Sluice\Timer::after(): Argument #1 ($seconds) must be between 0 and 1e9 seconds, NAN given
TypeError: Sluice\Timer::after(): Argument #2 ($callback) must be a valid callback, function "there_is_none" not found or invalid function name
Sluice\ServerException: Sluice\Timer::every() was called outside a worker: call it in a handler, a timer or onWorkerStart()
ValueError: Sluice\Timer::every(): Argument #1 ($seconds) must be between 0.001 and 1e9 seconds, 0 given
