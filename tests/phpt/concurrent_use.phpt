--TEST--
A stream or a socket that two coroutines use at once: the second one gets an exception that names both places, and the first one goes on
--EXTENSIONS--
sluice
sockets
--FILE--
<?php
use Sluice\Coroutine;
use Sluice\Coroutine\ConcurrentUseException;

/** One coroutine does `$first`; while that waits, another one does `$second`; then `$finish` lets the first one go on. */
function together(string $name, array $both, callable $first, callable $second, callable $finish): void
{
    Coroutine\run(function () use ($name, $both, $first, $second, $finish): void {
        $waiting = Coroutine\spawn($first, $both[0]);
        Coroutine\sleep(0.01);
        try {
            $end = json_encode($second($both[0]));
        } catch (ConcurrentUseException $e) {
            $end = preg_replace('~ at \S*/(\w+\.phpt?:)~', ' at $1', $e->getMessage());
            $end .= ' [thrown in ' . $e->getTrace()[0]['function'] . ']';
        }
        $finish($both[1]);
        echo "$name: $end\n    the first: ", json_encode($waiting->await()), "\n";
    });
}

$streams = fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$sockets = function (int $type = SOCK_STREAM): array {
    socket_create_pair(AF_UNIX, $type, 0, $both);
    return $both;
};
$say = fn ($stream) => fwrite($stream, "one\n");
$take = function ($stream): void {
    for ($got = 0; $got < 4_000_000; $got += strlen(fread($stream, 1 << 20)));
};

function read_line($stream): string|false
{
    return fgets($stream);
}

together('both read', $streams(), read_line(...), fn ($stream) => fread($stream, 100), $say);
together('both write', $streams(), fn ($stream) => fwrite($stream, str_repeat('x', 4_000_000)),
    fn ($stream) => @fwrite($stream, 'y'), $take);
together('sockets', $sockets(), fn ($socket) => socket_read($socket, 100), fn ($socket) => @socket_recv($socket, $data, 10, 0),
    fn ($socket) => socket_write($socket, 'one'));
together('pipes', [popen('sleep 0.2; echo one', 'r'), null], read_line(...), fn ($pipe) => @fread($pipe, 10), fn () => null);

echo "-- and what is allowed\n";
together('one reads, one writes', $streams(), read_line(...), fn ($stream) => fwrite($stream, 'y'), $say);
together('one reads, one closes', $streams(), fn ($stream) => @fgets($stream), fn ($stream) => fclose($stream), fn () => null);
together('one reads, one selects', $streams(), read_line(...), function ($stream) {
    [$read, $none] = [[$stream], null];
    return stream_select($read, $none, $none, 0, 1000);
}, $say);
together('datagrams', $sockets(SOCK_DGRAM), fn ($socket) => socket_read($socket, 100),
    fn ($socket) => Coroutine\spawn(fn () => socket_read($socket, 100)) ? 'waits, too' : '', function ($socket) {
        socket_write($socket, 'one');
        socket_write($socket, 'one');
    });
$listener = stream_socket_server('tcp://127.0.0.1:0');
together('listeners', [$listener, stream_socket_get_name($listener, false)], fn ($listener) => (bool) stream_socket_accept($listener),
    fn ($listener) => Coroutine\spawn(fn () => (bool) stream_socket_accept($listener)) ? 'waits, too' : '',
    fn ($name) => [stream_socket_client("tcp://$name"), stream_socket_client("tcp://$name")]);
together('one after the other', $streams(), read_line(...), function ($stream) {
    Coroutine\spawn(fn () => Coroutine\sleep(0.01))->await();
    return 'has not read';
}, $say);
?>
--EXPECT--
both read: fgets() at concurrent_use.php:34 waits in this connection, and fread() at concurrent_use.php:37 was to use it meanwhile: give each coroutine a connection of its own, as Sluice\Pool does [thrown in fread]
    the first: "one\n"
both write: fwrite() at concurrent_use.php:38 waits in this connection, and fwrite() at concurrent_use.php:39 was to use it meanwhile: give each coroutine a connection of its own, as Sluice\Pool does [thrown in fwrite]
    the first: 4000000
sockets: socket_read() at concurrent_use.php:40 waits in this connection, and socket_recv() at concurrent_use.php:40 was to use it meanwhile: give each coroutine a connection of its own, as Sluice\Pool does [thrown in socket_recv]
    the first: "one"
pipes: fgets() at concurrent_use.php:34 waits in this connection, and fread() at concurrent_use.php:42 was to use it meanwhile: give each coroutine a connection of its own, as Sluice\Pool does [thrown in fread]
    the first: "one\n"
-- and what is allowed
one reads, one writes: 1
    the first: "one\n"
one reads, one closes: true
    the first: false
one reads, one selects: 0
    the first: "one\n"
datagrams: "waits, too"
    the first: "one"
listeners: "waits, too"
    the first: true
one after the other: "has not read"
    the first: "one\n"
