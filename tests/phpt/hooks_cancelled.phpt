--TEST--
A coroutine that waits in a call of the C library is cancelled there, and the call comes back with an error first
--EXTENSIONS--
sluice
sockets
--INI--
zend.exception_ignore_args=1
--FILE--
<?php
require __DIR__ . '/hooks.inc';

$file = tempnam(sys_get_temp_dir(), 'sluice');
$held = fopen($file, 'r');
flock($held, LOCK_EX);
$pair = fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$listener = function () {
    $socket = socket_create(AF_INET, SOCK_STREAM, 0);
    socket_bind($socket, '127.0.0.1');
    socket_listen($socket, 1);
    return $socket;
};

cancelled('sleep', fn () => sleep(60));
cancelled('usleep', fn () => usleep(60_000_000));
cancelled('time_nanosleep', fn () => time_nanosleep(60, 0));
cancelled('fread', function () use ($pair) {
    $both = $pair();
    fread($both[0], 1);
});
cancelled('stream_select', function () use ($pair) {
    [$r, $w] = [$pair(), null];
    @stream_select($r, $w, $w, 60);
});
cancelled('fwrite', function () use ($pair) {
    $both = $pair();
    @fwrite($both[0], str_repeat('x', 10_000_000));
});
cancelled('socket_accept', fn () => @socket_accept($listener()));
cancelled('socket_recv', function () {
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $both);
    @socket_recv($both[0], $data, 10, MSG_WAITALL);
});
cancelled('flock', fn () => flock(fopen($file, 'r'), LOCK_EX));
// The children of cancelled calls go on, and nobody waits for them; they end soon after this script.
$children = [];
$go_on = 'while kill -0 ' . getmypid() . ' 2>/dev/null; do sleep 0.1; done';
cancelled('fgets', function () use (&$children, $go_on) {
    $pipe = popen('echo $$; ' . $go_on, 'r');
    $children[] = (int) fgets($pipe);
    @fgets($pipe);
});
cancelled('pclose', function () use (&$children, $go_on) {
    $pipe = popen('echo $$; ' . $go_on, 'r');
    $children[] = (int) fgets($pipe);
    pclose($pipe);
});
cancelled('exec', function () use ($file, $go_on) {
    @exec("echo \$\$ > $file; $go_on");
});
$children[] = (int) file_get_contents($file);
cancelled('proc_close', function () use (&$children, $go_on) {
    $process = proc_open($go_on, [], $pipes);
    $children[] = proc_get_status($process)['pid'];
    proc_close($process);
});
shell_exec('kill ' . implode(' ', $children));
// A cancelled look-up goes on in its thread.
for ($count = 0; $count < 20; $count++) {
    Sluice\Coroutine\run(function () {
        $task = Sluice\Coroutine\spawn(fn () => gethostbyname('localhost'));
        Sluice\Coroutine\sleep(0);
        $task->cancel();
        try {
            $task->await();
        } catch (Sluice\Coroutine\CancelledError) {
        }
    });
}
echo "look-ups: done\n";
unlink($file);
?>
--EXPECT--
sleep: Sluice\Coroutine\CancelledError in sleep
usleep: Sluice\Coroutine\CancelledError in usleep
time_nanosleep: Sluice\Coroutine\CancelledError in time_nanosleep
fread: Sluice\Coroutine\CancelledError in fread
stream_select: Sluice\Coroutine\CancelledError in stream_select
fwrite: Sluice\Coroutine\CancelledError in fwrite
socket_accept: Sluice\Coroutine\CancelledError in socket_accept
socket_recv: Sluice\Coroutine\CancelledError in socket_recv
flock: Sluice\Coroutine\CancelledError in flock
fgets: Sluice\Coroutine\CancelledError in fgets
pclose: Sluice\Coroutine\CancelledError in pclose
exec: Sluice\Coroutine\CancelledError in exec
proc_close: Sluice\Coroutine\CancelledError in proc_close
look-ups: done
