--TEST--
The classes are final; those that only the server makes cannot be made, cloned, serialised or extended with properties
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Http, Http2, Limits, Server, ServerException, Service, Stats, Tcp, Timer, Udp, WebSocket, Worker};
use Sluice\Http\{EventStream, Request, Response, Site, UploadedFile};

foreach ((new ReflectionExtension('sluice'))->getClasses() as $class) {
    if (!$class->isFinal() && !$class->isInterface()) {
        echo $class->name, " is not final\n";
    }
}
foreach ([Worker::class, Service::class, Stats::class, Site::class, Request::class, Response::class, UploadedFile::class, EventStream::class, WebSocket\Connection::class, WebSocket\Handshake::class, Tcp\Connection::class,
    Tcp\Framing::class, Timer::class, Udp\Peer::class] as $class) {
    attempt($class, fn() => new $class());
    attempt($class, fn() => (new ReflectionClass($class))->newInstanceWithoutConstructor());
    attempt($class, fn() => unserialize('O:' . strlen($class) . ":\"$class\":0:{}"));
}
$server = new Server();
$objects = [$server, $server->http('127.0.0.1:1', fn() => null), new Limits(), WebSocket\Connection::fromId(1), Tcp\Connection::fromId(1),
    Tcp\Framing::none()];
foreach ($objects as $object) {
    attempt('clone', fn() => clone $object);
    attempt('serialize', fn() => serialize($object));
    attempt('property', fn() => $object->anything = 1);
}
foreach ([Http\Limits::class, Http2\Limits::class, WebSocket\Limits::class, Tcp\Limits::class, Http\Options::class, WebSocket\Options::class] as $class) {
    $object = new $class();
    attempt('again', fn() => $object->__construct());
    attempt('clone', fn() => clone $object);
    attempt('serialize', fn() => serialize($object));
    attempt('property', fn() => $object->anything = 1);
}
foreach ([WebSocket\Connection::class, Tcp\Connection::class] as $class) {
    $connection = $class::fromId(PHP_INT_MAX);
    attempt('id', fn() => $connection->id = 2);
    echo $connection->id, ' ', $class::fromId(-1)->id, "\n";
}
var_dump(get_parent_class(ServerException::class));
?>
--EXPECT--
Error: Call to private Sluice\Worker::__construct() from global scope
ReflectionException: Class Sluice\Worker is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Worker' is not allowed
Error: Call to private Sluice\Service::__construct() from global scope
ReflectionException: Class Sluice\Service is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Service' is not allowed
Error: Call to private Sluice\Stats::__construct() from global scope
ReflectionException: Class Sluice\Stats is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Stats' is not allowed
Error: Call to private Sluice\Http\Site::__construct() from global scope
ReflectionException: Class Sluice\Http\Site is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Http\Site' is not allowed
Error: Call to private Sluice\Http\Request::__construct() from global scope
ReflectionException: Class Sluice\Http\Request is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Http\Request' is not allowed
Error: Call to private Sluice\Http\Response::__construct() from global scope
ReflectionException: Class Sluice\Http\Response is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Http\Response' is not allowed
Error: Call to private Sluice\Http\UploadedFile::__construct() from global scope
ReflectionException: Class Sluice\Http\UploadedFile is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Http\UploadedFile' is not allowed
Error: Call to private Sluice\Http\EventStream::__construct() from global scope
ReflectionException: Class Sluice\Http\EventStream is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Http\EventStream' is not allowed
Error: Call to private Sluice\WebSocket\Connection::__construct() from global scope
ReflectionException: Class Sluice\WebSocket\Connection is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\WebSocket\Connection' is not allowed
Error: Call to private Sluice\WebSocket\Handshake::__construct() from global scope
ReflectionException: Class Sluice\WebSocket\Handshake is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\WebSocket\Handshake' is not allowed
Error: Call to private Sluice\Tcp\Connection::__construct() from global scope
ReflectionException: Class Sluice\Tcp\Connection is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Tcp\Connection' is not allowed
Error: Call to private Sluice\Tcp\Framing::__construct() from global scope
ReflectionException: Class Sluice\Tcp\Framing is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Tcp\Framing' is not allowed
Error: Call to private Sluice\Timer::__construct() from global scope
ReflectionException: Class Sluice\Timer is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Timer' is not allowed
Error: Call to private Sluice\Udp\Peer::__construct() from global scope
ReflectionException: Class Sluice\Udp\Peer is an internal class marked as final that cannot be instantiated without invoking its constructor
Exception: Unserialization of 'Sluice\Udp\Peer' is not allowed
Error: Trying to clone an uncloneable object of class Sluice\Server
Exception: Serialization of 'Sluice\Server' is not allowed
Error: Cannot create dynamic property Sluice\Server::$anything
Error: Trying to clone an uncloneable object of class Sluice\Http\Site
Exception: Serialization of 'Sluice\Http\Site' is not allowed
Error: Cannot create dynamic property Sluice\Http\Site::$anything
Error: Trying to clone an uncloneable object of class Sluice\Limits
Exception: Serialization of 'Sluice\Limits' is not allowed
Error: Cannot create dynamic property Sluice\Limits::$anything
Error: Trying to clone an uncloneable object of class Sluice\WebSocket\Connection
Exception: Serialization of 'Sluice\WebSocket\Connection' is not allowed
Error: Cannot create dynamic property Sluice\WebSocket\Connection::$anything
Error: Trying to clone an uncloneable object of class Sluice\Tcp\Connection
Exception: Serialization of 'Sluice\Tcp\Connection' is not allowed
Error: Cannot create dynamic property Sluice\Tcp\Connection::$anything
Error: Trying to clone an uncloneable object of class Sluice\Tcp\Framing
Exception: Serialization of 'Sluice\Tcp\Framing' is not allowed
Error: Cannot create dynamic property Sluice\Tcp\Framing::$anything
Error: Sluice\Http\Limits is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\Http\Limits
Exception: Serialization of 'Sluice\Http\Limits' is not allowed
Error: Cannot create dynamic property Sluice\Http\Limits::$anything
Error: Sluice\Http2\Limits is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\Http2\Limits
Exception: Serialization of 'Sluice\Http2\Limits' is not allowed
Error: Cannot create dynamic property Sluice\Http2\Limits::$anything
Error: Sluice\WebSocket\Limits is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\WebSocket\Limits
Exception: Serialization of 'Sluice\WebSocket\Limits' is not allowed
Error: Cannot create dynamic property Sluice\WebSocket\Limits::$anything
Error: Sluice\Tcp\Limits is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\Tcp\Limits
Exception: Serialization of 'Sluice\Tcp\Limits' is not allowed
Error: Cannot create dynamic property Sluice\Tcp\Limits::$anything
Error: Sluice\Http\Options is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\Http\Options
Exception: Serialization of 'Sluice\Http\Options' is not allowed
Error: Cannot create dynamic property Sluice\Http\Options::$anything
Error: Sluice\WebSocket\Options is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\WebSocket\Options
Exception: Serialization of 'Sluice\WebSocket\Options' is not allowed
Error: Cannot create dynamic property Sluice\WebSocket\Options::$anything
Error: Cannot modify readonly property Sluice\WebSocket\Connection::$id
9223372036854775807 -1
Error: Cannot modify readonly property Sluice\Tcp\Connection::$id
9223372036854775807 -1
string(16) "RuntimeException"
