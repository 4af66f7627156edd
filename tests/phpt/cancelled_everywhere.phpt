--TEST--
Cancelled at each of its suspensions in turn, whatever waits ends, cleans up, and leaves nothing behind: coroutines and calls of the C library
--EXTENSIONS--
sluice
sockets
--FILE--
<?php
require __DIR__ . '/cancelled_everywhere.inc';

use Sluice\{Coroutine, Pool};
use Sluice\Coroutine\{Channel, Mutex, Semaphore, TaskGroup, WaitGroup};

/** Runs all at once; a cancelled one takes the others along, for nobody would wait for them. */
function together(callable $main, callable ...$others): mixed
{
    return Coroutine\all($main, ...$others)[0];
}

function later(callable $do, float $seconds = 0.001): Closure
{
    return function () use ($do, $seconds) {
        Coroutine\sleep($seconds);
        return $do();
    };
}

// -- coroutines

cancelled_everywhere('sleep', function () {
    Coroutine\sleep(0.001);
    Coroutine\sleep(0);
    usleep(1000);
    time_nanosleep(0, 1000);
    return true;
});
cancelled_everywhere('finally that waits', function () {
    try {
        Coroutine\sleep(0.001);
    } finally {
        usleep(1000);
    }
    return true;
});
cancelled_everywhere('defer', function () use (&$deferred) {
    $deferred = 0;
    Coroutine\defer(function () use (&$deferred) {
        usleep(1000);
        $deferred++;
    });
    Coroutine\defer(function () use (&$deferred) {
        $deferred++;
    });
    Coroutine\sleep(0.001);
    return true;
}, function () use (&$deferred) {
    return $deferred > 0;
});
cancelled_everywhere('shield', function () use (&$completed) {
    $completed = 0;
    Coroutine\shield(function () use (&$completed) {
        usleep(1000);
        usleep(1000);
        $completed++;
    });
    usleep(1000);
    return true;
}, function () use (&$completed) {
    return $completed === 1;
});
cancelled_everywhere('await', fn () => Coroutine\spawn(later(fn () => true))->await());
cancelled_everywhere('all', fn () => Coroutine\all(
    fn () => usleep(1000),
    a: fn () => Coroutine\all(fn () => usleep(2000), fn () => Coroutine\sleep(0.001)),
) !== []);
cancelled_everywhere('any', function () {
    try {
        return Coroutine\any(later(fn () => throw new LogicException()), later(fn () => true, 0.002), fn () => usleep(500_000));
    } catch (LogicException) {
        return 'all others were cancelled';
    }
});
cancelled_everywhere('race', fn () => Coroutine\race(fn () => usleep(500_000), later(fn () => true)));
cancelled_everywhere('map', fn () => Coroutine\map(range(1, 5), function (int $n) {
    usleep(1000);
    return $n;
}, 2) === range(1, 5));
cancelled_everywhere('timeout', function () {
    try {
        Coroutine\timeout(0.002, function () {
            try {
                usleep(500_000);
            } finally {
                usleep(1000);
            }
        });
    } catch (Coroutine\TimeoutException) {
        return Coroutine\timeout(5, later(fn () => true));
    }
});
cancelled_everywhere('group', function () use (&$ends) {
    $ends = [];
    return TaskGroup::run(function (TaskGroup $group) use (&$ends) {
        foreach ([1, 2, 3] as $n) {
            $ends[$n] = false;
            $group->spawn(function () use ($n, &$ends) {
                try {
                    usleep($n * 1000);
                    TaskGroup::run(fn (TaskGroup $inner) => $inner->spawn(fn () => usleep(1000)));
                } finally {
                    $ends[$n] = true;
                }
            });
        }
        Coroutine\sleep(0.001);
        return true;
    });
});
$channel = null;
cancelled_everywhere('channel', function () use (&$channel) {
    $channel = new Channel(1);
    return TaskGroup::run(function (TaskGroup $group) use ($channel) {
        $group->spawn(function () use ($channel) {
            try {
                foreach ([1, 2, 3, 4] as $n) {
                    $channel->push($n);
                }
            } finally {
                $channel->close();
            }
        });
        $sum = 0;
        foreach ($channel as $n) {
            $sum += $n;
            usleep(1000);
        }
        return $sum === 10;
    });
});
cancelled_everywhere('channel without room', function () {
    $channel = new Channel();
    return together(fn () => $channel->pop(5), later(fn () => $channel->push('x', 5))) === 'x';
});
$mutex = new Mutex();
cancelled_everywhere('mutex', fn () => together(function () use ($mutex) {
    usleep(1000);
    $mutex->use(fn () => usleep(1000), 5);
    $mutex->lock();
    try {
        usleep(1000);
    } finally {
        $mutex->unlock();
    }
    return true;
}, fn () => $mutex->use(fn () => usleep(2000))), fn () => !$mutex->isLocked());
$semaphore = new Semaphore(2);
cancelled_everywhere('semaphore', fn () => Coroutine\map(range(1, 5), fn () => $semaphore->use(fn () => usleep(1000)) ?? true)
    !== [], fn () => $semaphore->free() === 2);
cancelled_everywhere('wait group', function () {
    $group = new WaitGroup();
    $group->add(2);
    together(fn () => $group->wait(5), later(fn () => $group->done()), later(fn () => $group->done(), 0.002));
    return true;
});

// -- calls of the C library

$pair = fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
cancelled_everywhere('streams', function () use ($pair) {
    [$here, $there] = $pair();
    return together(function () use (&$here) {
        for ($n = 0; $n < 2; $n++) {
            fwrite($here, "line $n\n");
            $got = fgets($here);
        }
        $none = [];
        $read = [$here];
        stream_select($read, $none, $none, 0, 1000);
        stream_socket_shutdown($here, STREAM_SHUT_WR);
        return $got === "line 1\n";
    }, function () use ($there) {
        while (($line = fgets($there)) !== false) {
            fwrite($there, $line);
        }
    });
});
cancelled_everywhere('large writes', function () use ($pair) {
    [$here, $there] = $pair();
    return together(
        fn () => fwrite($here, str_repeat('x', 1_000_000)) === 1_000_000,
        fn () => strlen(stream_get_contents($there, 1_000_000)),
    );
});
cancelled_everywhere('connections', function () {
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    return together(function () use ($listener) {
        $client = stream_socket_client('tcp://' . stream_socket_get_name($listener, false), timeout: 5);
        return fgets($client) === "hello\n";
    }, function () use ($listener) {
        $server = stream_socket_accept($listener, 5);
        usleep(1000);
        fwrite($server, "hello\n");
    });
});
cancelled_everywhere('sockets', function () {
    $listener = socket_create(AF_INET, SOCK_STREAM, 0);
    socket_bind($listener, '127.0.0.1');
    socket_listen($listener);
    socket_getsockname($listener, $address, $port);
    $client = socket_create(AF_INET, SOCK_STREAM, 0);
    return together(
        fn () => socket_connect($client, $address, $port) && socket_recv($client, $data, 5, MSG_WAITALL) === 5,
        function () use ($listener) {
            $server = socket_accept($listener);
            usleep(1000);
            socket_write($server, 'hello');
        },
    );
});
// On a busy machine a thread may have its answer before the coroutine has begun to wait for it; not with so many at a time.
$looksUp = fn () => gethostbyname('localhost') === '127.0.0.1'
    && socket_addrinfo_lookup('localhost', '80', ['ai_family' => AF_INET]) !== [];
cancelled_everywhere('names', fn () => !in_array(false, Coroutine\all(...array_fill(0, 16, $looksUp)), true));
$file = tempnam(sys_get_temp_dir(), 'sluice');
cancelled_everywhere('locks', function () use ($file) {
    $one = fopen($file, 'r');
    $other = fopen($file, 'r');
    flock($one, LOCK_EX);
    return together(fn () => flock($other, LOCK_EX), later(fn () => flock($one, LOCK_UN), 0.003));
}, function () use ($file) {
    return flock(fopen($file, 'r'), LOCK_EX | LOCK_NB);
});
cancelled_everywhere('files', function () use ($file) {
    $out = fopen($file, 'w');
    fwrite($out, 'text');
    for ($times = 0; $times < 20; $times++) {
        fsync($out);
    }
    return fclose($out) && file_get_contents($file) === 'text';
});
cancelled_everywhere('processes', function () {
    $process = proc_open(['sh', '-c', 'exec 2>/dev/null; read line; echo $line; sleep 0.003'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    try {
        fwrite($pipes[0], "line\n");
        $line = fgets($pipes[1]);
    } finally {
        fclose($pipes[0]);
        proc_close($process);
    }
    return $line === "line\n";
});
cancelled_everywhere('exec', fn () => exec('exec 2>/dev/null; sleep 0.002; echo done') === 'done' && shell_exec('exec 2>/dev/null; echo x') === "x\n");
unlink($file);

// -- pools

$made = 0;
$pool = new Pool(
    create: function () use (&$made) {
        usleep(1000);
        $made++;
        return new stdClass();
    },
    max: 2,
    reset: fn () => usleep(1000),
    check: fn () => usleep(1000) ?? true,
    close: function () use (&$made) {
        usleep(1000);
        $made--;
    },
    checkAfter: 0,
);
cancelled_everywhere('pool', fn () => Coroutine\map(range(1, 5), fn () => $pool->use(fn () => usleep(1000)) ?? true) !== [],
    function () use ($pool, &$made) {
        $stats = $pool->stats();
        return $stats->inUse === 0 && $stats->waiting === 0 && $stats->size === $stats->idle && $stats->size === $made;
    });
?>
--EXPECT--
sleep: everywhere
finally that waits: everywhere
defer: everywhere
shield: everywhere
await: everywhere
all: everywhere
any: everywhere
race: everywhere
map: everywhere
timeout: everywhere
group: everywhere
channel: everywhere
channel without room: everywhere
mutex: everywhere
semaphore: everywhere
wait group: everywhere
streams: everywhere
large writes: everywhere
connections: everywhere
sockets: everywhere
names: everywhere
locks: everywhere
files: everywhere
processes: everywhere
exec: everywhere
pool: everywhere
