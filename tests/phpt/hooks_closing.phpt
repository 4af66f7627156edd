--TEST--
A descriptor that is closed while another coroutine waits for it: that one goes on with an error, and not with whatever has the number next
--EXTENSIONS--
sluice
sockets
--FILE--
<?php
use function Sluice\Coroutine\{run, sleep, spawn};

/** One coroutine waits in `$wait`, another does `$close` and opens something new at once. */
function closing(string $name, callable $open, callable $wait, callable $close): void
{
    run(function () use ($name, $open, $wait, $close): void {
        $both = $open();
        $waiting = spawn(fn () => $wait($both[0]));
        sleep(0.01);
        $close($both[0]);
        // The new pair takes the closed descriptor's number, and has something to read.
        $next = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        fwrite($next[0], 'not for you');
        fwrite($next[1], 'not for you');
        try {
            $end = json_encode($waiting->await());
        } catch (Throwable $e) {
            $end = get_class($e);
        }
        echo "$name: $end, and left ", fread($next[0], 20), "\n";
    });
}

$streams = fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$sockets = function () {
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $both);
    return $both;
};
closing('fread', $streams, fn ($stream) => @fread($stream, 100), fn ($stream) => fclose($stream));
closing('fwrite', $streams, fn ($stream) => @fwrite($stream, str_repeat('x', 10_000_000)) < 10_000_000, fn ($stream) => fclose($stream));
closing('stream_get_contents', $streams, fn ($stream) => stream_get_contents($stream), fn ($stream) => fclose($stream));
closing('stream_select', $streams, function ($stream) {
    [$r, $w] = [[$stream], null];
    return @stream_select($r, $w, $w, 60);
}, fn ($stream) => fclose($stream));
closing('socket_recv', $sockets, fn ($socket) => @socket_recv($socket, $data, 100, 0), fn ($socket) => socket_close($socket));
closing('socket_select', $sockets, function ($socket) {
    [$r, $w] = [[$socket], null];
    return @socket_select($r, $w, $w, 60);
}, fn ($socket) => socket_close($socket));
closing('pipe', fn () => [popen('exec sleep 0.2', 'r')], fn ($pipe) => @fgets($pipe), fn ($pipe) => pclose($pipe));

// Several coroutines may wait for one stream.
run(function () use ($streams): void {
    $both = $streams();
    $waiting = array_map(fn () => spawn(function () use ($both) {
        [$r, $w] = [[$both[0]], null];
        return @stream_select($r, $w, $w, 60);
    }), range(1, 5));
    sleep(0.01);
    fclose($both[0]);
    echo json_encode(array_map(fn ($task) => $task->await(), $waiting)), "\n";
});
?>
--EXPECT--
fread: "", and left not for you
fwrite: true, and left not for you
stream_get_contents: "", and left not for you
stream_select: false, and left not for you
socket_recv: false, and left not for you
socket_select: false, and left not for you
pipe: false, and left not for you
[false,false,false,false,false]
