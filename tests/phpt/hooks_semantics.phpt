--TEST--
Hooked calls keep their meaning: timeouts of sockets, MSG_WAITALL, everything written, exit statuses, locks, closed ends, exceptions on their way
--EXTENSIONS--
sluice
sockets
--FILE--
<?php
use function Sluice\Coroutine\{all, run, sleep, spawn};

run(function (): void {
    echo "-- sockets\n";
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $both);
    socket_set_option($both[0], SOL_SOCKET, SO_RCVTIMEO, ['sec' => 0, 'usec' => 20000]);
    var_dump(@socket_recv($both[0], $data, 10, 0), socket_last_error($both[0]) === SOCKET_EAGAIN);
    socket_set_option($both[0], SOL_SOCKET, SO_RCVTIMEO, ['sec' => 0, 'usec' => 0]);
    spawn(function () use ($both) {
        foreach (['in ', 'three ', 'parts'] as $part) {
            socket_write($both[1], $part);
            sleep(0.005);
        }
        socket_close($both[1]);
    });
    var_dump(socket_recv($both[0], $data, 7, MSG_WAITALL), $data);
    var_dump(socket_recv($both[0], $data, 100, MSG_WAITALL), $data);
    var_dump(socket_recv($both[0], $data, 100, MSG_WAITALL));

    echo "-- everything is written, to sockets and pipes\n";
    $big = random_bytes(3_000_000);
    [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    [$written, $read] = all(
        function () use ($a, $big) { $n = fwrite($a, $big); fclose($a); return $n; },
        fn () => stream_get_contents($b),
    );
    var_dump($written, $read === $big);
    $sum = proc_open(['sha1sum'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    var_dump(fwrite($pipes[0], $big));
    fclose($pipes[0]);
    var_dump(substr(stream_get_contents($pipes[1]), 0, 40) === sha1($big), proc_close($sum));
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $both);
    [$sent, $got] = all(
        fn () => socket_sendmsg($both[0], ['iov' => str_split($big, 700_000)]),
        function () use ($both, $big) { socket_recv($both[1], $data, strlen($big), MSG_WAITALL); return $data; },
    );
    var_dump($sent, $got === $big);

    echo "-- children\n";
    var_dump(exec('echo one; echo two; exit 3', $lines, $status), $lines, $status);
    var_dump(shell_exec('exit 1'), shell_exec('printf text'));
    $pipe = popen('cat > /dev/null; exit 7', 'w');
    fwrite($pipe, 'x');
    var_dump(pclose($pipe));
    var_dump(proc_close(proc_open('exit 9', [], $none)));
    var_dump(popen('true', 'r') !== false);
    if (($pid = pcntl_fork()) === 0) {
        // A child has no coroutines: its calls wait as they always did.
        usleep(1000);
        [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        stream_set_timeout($a, 0, 1000);
        fread($a, 1);
        file_put_contents('/proc/self/comm', 'child');
        $code = gethostbyname('localhost') === '127.0.0.1' ? 11 : 12;
        pcntl_exec('/bin/sh', ['-c', "exit $code"]);
    }
    var_dump(pcntl_waitpid($pid, $status) === $pid, pcntl_wexitstatus($status));
    var_dump(pcntl_waitpid($pid, $status), pcntl_wait($status));

    echo "-- locks\n";
    $file = tempnam(sys_get_temp_dir(), 'sluice');
    [$one, $two, $three] = [fopen($file, 'r'), fopen($file, 'r'), fopen($file, 'r')];
    var_dump(flock($one, LOCK_SH), flock($two, LOCK_SH), flock($three, LOCK_EX | LOCK_NB, $would_block), $would_block);
    $order = [];
    all(
        function () use ($three, &$order) { flock($three, LOCK_EX); $order[] = 'exclusive'; },
        function () use ($one, $two, &$order) { sleep(0.01); flock($one, LOCK_UN); flock($two, LOCK_UN); $order[] = 'given up'; },
    );
    echo implode(', ', $order), "\n";
    unlink($file);

    echo "-- names\n";
    var_dump(gethostbyname('localhost'), gethostbyname('127.0.0.1'), gethostbyname('no-such-name.invalid'));
    var_dump(count(array_unique(all(...array_fill(0, 200, fn () => gethostbyname('localhost'))))));
    var_dump(is_string(gethostbyaddr('127.0.0.1')), gethostbynamel('no-such-name.invalid'));
    var_dump(@stream_socket_client('tcp://no-such-name.invalid:1', $code, $message), $message !== '');

    echo "-- an exception on its way\n";
    final class Cleans
    {
        public function __destruct()
        {
            usleep(100);
            [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            fwrite($a, 'x');
            echo 'cleaned up ', fread($b, 1), "\n";
        }
    }
    try {
        (function () { $cleans = new Cleans; throw new RuntimeException('thrown'); })();
    } catch (RuntimeException $e) {
        echo $e->getMessage(), "\n";
    }
});
?>
--EXPECT--
-- sockets
bool(false)
bool(true)
int(7)
string(7) "in thre"
int(7)
string(7) "e parts"
int(0)
-- everything is written, to sockets and pipes
int(3000000)
bool(true)
int(3000000)
bool(true)
int(0)
int(3000000)
bool(true)
-- children
string(3) "two"
array(2) {
  [0]=>
  string(3) "one"
  [1]=>
  string(3) "two"
}
int(3)
NULL
string(4) "text"
int(7)
int(9)
bool(true)
bool(true)
int(11)
int(-1)
int(-1)
-- locks
bool(true)
bool(true)
bool(false)
int(1)
given up, exclusive
-- names
string(9) "127.0.0.1"
string(9) "127.0.0.1"
string(20) "no-such-name.invalid"
int(1)
bool(true)
bool(false)
bool(false)
bool(true)
-- an exception on its way
cleaned up x
thrown
