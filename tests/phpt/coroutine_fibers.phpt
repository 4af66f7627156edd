--TEST--
Coroutines are Fibers: what the application does with Fibers, generators, destructors and output buffers goes on working
--EXTENSIONS--
sluice
--FILE--
<?php
use function Sluice\Coroutine\{run, sleep, spawn};

class SleepsAtItsEnd { function __destruct() { usleep(1000); echo "destructed\n"; } }

run(function () {
    echo "-- a Fiber of the application's own\n";
    $fiber = new Fiber(function () { usleep(1000); echo Fiber::suspend('out'), "\n"; usleep(1000); return 'end'; });
    var_dump($fiber->start());
    $fiber->resume('in');
    var_dump($fiber->getReturn());

    echo "-- the coroutine's own, suspended by the application\n";
    $own = Fiber::getCurrent();
    spawn(function () use ($own) { usleep(10_000); $own->resume('resumed'); echo "goes on\n"; });
    var_dump(Fiber::suspend());
    sleep(0.02);

    echo "-- resumed while it waits for something else\n";
    $own = Fiber::getCurrent();
    spawn(function () use ($own) { $own->resume(); echo "too early\n"; });
    $start = hrtime(true);
    usleep(50_000);
    var_dump(hrtime(true) - $start >= 50e6);
    spawn(fn () => $own->throw(new Exception('thrown into it')));
    try {
        usleep(60_000_000);
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }

    echo "-- each has its own output buffers\n";
    $buffered = fn (string $what) => function () use ($what) {
        ob_start();
        echo $what;
        usleep(10_000);
        echo $what;
        return ob_get_clean();
    };
    [$a, $b] = [spawn($buffered('a')), spawn($buffered('b'))];
    var_dump($a->await(), $b->await());

    echo "-- destructors, generators, callbacks, silence\n";
    $object = new SleepsAtItsEnd;
    unset($object);
    try {
        (function () { $object = new SleepsAtItsEnd; throw new Exception('past a destructor'); })();
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
    $generator = (function () { for ($i = 0; $i < 3; ++$i) { usleep(1000); yield $i; } })();
    echo json_encode([iterator_to_array($generator), array_map(fn ($x) => usleep(1000) ?? $x, [1, 2])]), "\n";
    $level = error_reporting();
    $silent = spawn(fn () => @[usleep(10_000), error_reporting()]);
    usleep(1000);
    var_dump(error_reporting() === $level, $silent->await()[1] !== $level);

    echo "-- collected while they wait\n";
    $all = [];
    for ($i = 0; $i < 1000; ++$i) {
        $all[] = spawn(function () use ($i) { $cycle = [$i]; $cycle[] = &$cycle; usleep(5000); return $cycle[0]; });
    }
    usleep(1000);
    gc_collect_cycles();
    var_dump(array_sum(array_map(fn ($task) => $task->await(), $all)));
});
?>
--EXPECT--
-- a Fiber of the application's own
string(3) "out"
in
string(3) "end"
-- the coroutine's own, suspended by the application
string(7) "resumed"
goes on
-- resumed while it waits for something else
too early
bool(true)
thrown into it
-- each has its own output buffers
string(2) "aa"
string(2) "bb"
-- destructors, generators, callbacks, silence
destructed
destructed
past a destructor
[[0,1,2],[1,2]]
bool(true)
bool(true)
-- collected while they wait
int(499500)
