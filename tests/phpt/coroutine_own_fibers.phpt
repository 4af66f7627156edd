--TEST--
Fibers of the application's own, inside coroutines: what waits in them suspends the whole coroutine, and they stay Fibers
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{CancelledError, Channel, ContextValue, Mutex, TimeoutException};
use function Sluice\Coroutine\{all, run, sleep, spawn, timeout};

/** What others have done while $what ran. */
function beside(callable $what): mixed
{
    $others = 0;
    $task = spawn(function () use (&$others) { while (true) { ++$others; usleep(1000); } });
    try {
        return [$what(), 'others ran: ' . var_export($others > 0, true)];
    } finally {
        $task->cancel();
    }
}
function show(mixed $value): void { echo json_encode($value), "\n"; }

run(function () {
    echo "-- calls that wait\n";
    show(beside(function () {
        $fiber = new Fiber(function ($in) { usleep(5000); $in .= Fiber::suspend("$in out"); usleep(5000); return "$in end"; });
        $out = $fiber->start('in');
        $fiber->resume(' again');
        return [$out, $fiber->getReturn(), $fiber->isTerminated()];
    }));

    echo "-- one in the other, and a generator\n";
    show(beside(function () {
        $outer = new Fiber(function () {
            $inner = new Fiber(function () {
                foreach ((function () { usleep(3000); yield 1; usleep(3000); yield 2; })() as $number) {
                    usleep(1000);
                    Fiber::suspend($number);
                }
                return 'inner';
            });
            $seen = [$inner->start()];
            usleep(1000);
            Fiber::suspend('outer');
            $inner->resume();
            $inner->resume();
            return [...$seen, $inner->getReturn()];
        });
        $said = $outer->start();
        usleep(1000);
        $outer->resume();
        return [$said, $outer->getReturn()];
    }));

    echo "-- everything that coroutines wait with\n";
    $channel = new Channel;
    $mutex = new Mutex;
    $value = new ContextValue('none');
    $value->set('seen');
    $fiber = new Fiber(function () use ($channel, $mutex, $value) {
        spawn(fn () => $channel->push('pushed'));
        $items = [];
        $reader = spawn(function () use ($channel) { foreach ([1, 2] as $n) $channel->push($n); $channel->close(); });
        foreach ($channel as $item) $items[] = $item;
        return [$items, all(fn () => usleep(1000) ?? 'a', b: fn () => 'b'), timeout(5, fn () => usleep(1000) ?? 'in time'),
                $mutex->use(fn () => sleep(0.001) ?? 'locked'), spawn(fn () => $value->get())->await()];
    });
    $fiber->start();
    show($fiber->getReturn());

    echo "-- exceptions into it, out of it, and cancelling\n";
    $fiber = new Fiber(function () {
        try {
            usleep(1000);
            Fiber::suspend();
        } catch (DomainException $e) {
            usleep(1000);
            throw new LogicException('out', previous: $e);
        }
    });
    $fiber->start();
    try {
        $fiber->throw(new DomainException('in'));
    } catch (LogicException $e) {
        show([$e->getMessage(), $e->getPrevious()->getMessage()]);
    }
    foreach ([fn () => usleep(60_000_000), fn () => sleep(60), fn () => (new Channel)->pop()] as $wait) {
        try {
            timeout(0.01, fn () => (new Fiber(function () use ($wait) {
                try {
                    $wait();
                } catch (CancelledError $e) {
                    usleep(1000);
                    echo "cancelled in it, ";
                    throw $e;
                }
            }))->start());
        } catch (TimeoutException $e) {
            echo $e->getMessage(), "\n";
        }
    }

    echo "-- while its coroutine waits, nobody else can resume it\n";
    $fiber = new Fiber(function () { usleep(20_000); return 'its own way'; });
    $other = spawn(function () use ($fiber) {
        try {
            $fiber->resume();
        } catch (FiberError $e) {
            echo $e->getMessage(), ' ', json_encode([$fiber->isSuspended(), $fiber->isTerminated()]), "\n";
        }
    });
    $fiber->start();
    $other->await();
    show($fiber->getReturn());

    echo "-- begun in one coroutine, resumed in another\n";
    $fiber = new Fiber(function () { usleep(1000); $x = Fiber::suspend(); usleep(1000); return $x; });
    spawn(fn () => $fiber->start())->await();
    spawn(fn () => $fiber->resume('moved'))->await();
    show($fiber->getReturn());

    echo "-- the coroutine's own Fiber, resumed while one in it waits\n";
    $own = Fiber::getCurrent();
    $fiber = new Fiber(function () use ($own) {
        spawn(fn () => $own->resume('too early'));
        $start = hrtime(true);
        usleep(20_000);
        return hrtime(true) - $start >= 20e6;
    });
    $fiber->start();
    show($fiber->getReturn());

    echo "-- a scheduler of the application's: callbacks by time and by stream, each in a Fiber\n";
    [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    show(beside(function () use ($a, $b) {
        $log = [];
        $loop = new Fiber(function () use ($a, $b, &$log) {
            $waiting = [];
            $start = function (callable $f) use (&$waiting) {
                $fiber = new Fiber($f);
                $waiting[] = [$fiber, $fiber->start()];
            };
            $start(function () use ($a, &$log) { $log[] = 'reads'; Fiber::suspend($a); $log[] = fgets($a); });
            $start(function () use ($b, &$log) { Fiber::suspend(0.005); $log[] = 'writes'; fwrite($b, "line\n"); });
            while ($waiting) {
                $streams = array_values(array_filter(array_column($waiting, 1), 'is_resource'));
                $none = [];
                $streams ? stream_select($streams, $none, $none, 0, 10_000) : usleep(5000);
                foreach ($waiting as $key => [$fiber, $for]) {
                    if (is_resource($for) && !in_array($for, $streams, true)) continue;
                    $fiber->resume();
                    unset($waiting[$key]);
                }
            }
        });
        $loop->start();
        return $log;
    }));

    echo "-- destructors, and one that is dropped half-way\n";
    $fiber = new Fiber(function () {
        $object = new class { function __destruct() { usleep(1000); echo "destructed\n"; } };
        unset($object);
        try {
            Fiber::suspend();
        } finally {
            usleep(1000);
            echo "finally\n";
        }
    });
    $fiber->start();
    unset($fiber);

    echo "-- where it could not be before PHP 8.4\n";
    $channel = new Channel(1);
    spawn(function () use ($channel) { usleep(1000); $channel->push('it waits'); });
    $cycle = new class($channel) {
        public $self;
        function __construct(public Channel $channel) {}
        function __destruct() {
            try {
                sleep(0);
                usleep(1);
                echo $this->channel->pop(), "\n";
            } catch (Error $e) {
                echo $e->getMessage(), "\n";
            }
        }
    };
    $cycle->self = $cycle;
    unset($cycle);
    gc_collect_cycles();

    echo "-- many\n";
    $tasks = [];
    for ($i = 0; $i < 500; ++$i) {
        $tasks[] = spawn(function () use ($i) {
            $fiber = new Fiber(function () use ($i) { $cycle = [$i]; $cycle[] = &$cycle; usleep(2000); Fiber::suspend(); usleep(1000); return $i; });
            $fiber->start();
            usleep(1000);
            if ($i % 100 == 0) gc_collect_cycles();
            $fiber->resume();
            return $fiber->getReturn();
        });
    }
    show(array_sum(array_map(fn ($task) => $task->await(), $tasks)));
});

echo "-- left waiting in one when the script's run() throws\n";
try {
    run(function () {
        spawn(fn () => (new Fiber(function () { try { usleep(60_000_000); } finally { echo "cancelled\n"; } }))->start());
        usleep(1000);
        throw new DomainException('out of run()');
    });
} catch (DomainException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECTF--
-- calls that wait
[["in out","in again end",true],"others ran: true"]
-- one in the other, and a generator
[["outer",[1,"inner"]],"others ran: true"]
-- everything that coroutines wait with
[["pushed",1,2],{"0":"a","b":"b"},"in time","locked","seen"]
-- exceptions into it, out of it, and cancelling
["out","in"]
cancelled in it, The function has not ended within 0.01 s
cancelled in it, The function has not ended within 0.01 s
cancelled in it, The function has not ended within 0.01 s
-- while its coroutine waits, nobody else can resume it
Cannot resume a fiber that is not suspended [false,false]
"its own way"
-- begun in one coroutine, resumed in another
"moved"
-- the coroutine's own Fiber, resumed while one in it waits
true
-- a scheduler of the application's: callbacks by time and by stream, each in a Fiber
[["reads","writes","line\n"],"others ran: true"]
-- destructors, and one that is dropped half-way
destructed
finally
-- where it could not be before PHP 8.4
%r(it waits|Sluice\\Coroutine\\Channel::pop\(\) has to wait, and cannot here: PHP cannot switch Fibers here, for example in a destructor that the garbage collector calls)%r
-- many
124750
-- left waiting in one when the script's run() throws
cancelled
out of run()
