--TEST--
How coroutines end: uncaught exceptions, deadlocks, and exit() while others wait
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\Task;
use function Sluice\Coroutine\{all, map, run, sleep, spawn, timeout};

function attempt(callable $what): void
{
    try {
        $what();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

echo "-- where there is none\n";
attempt(fn () => spawn(fn () => 1));
attempt(fn () => all(fn () => 1));
attempt(fn () => run(fn () => run(fn () => 1)));
attempt(fn () => (new Fiber(fn () => all(fn () => 1)))->start());
sleep(0.001);
$work = new ReflectionMethod(Task::class, 'work');
$work->invoke(null);
run(fn () => $work->invoke(null));

echo "-- arguments\n";
attempt(fn () => run(fn () => sleep(-1)));
attempt(fn () => run(fn () => map([1], fn () => 1, 0)));
attempt(fn () => run(fn () => timeout(0, fn () => 1)));
attempt(fn () => run(fn () => all(fn () => 1, 'no function')));
attempt(fn () => run(fn () => all(a: 5)));

echo "-- exceptions\n";
attempt(function () {
    run(function () {
        spawn(function () { try { sleep(60); } finally { echo "cancelled\n"; } });
        sleep(0.001);
        throw new DomainException('out of run()');
    });
});
attempt(function () {
    run(function () {
        $task = null;
        $task = spawn(function () use (&$task) { sleep(0); $task->await(); });
        $task->await();
    });
});

echo "-- deadlock\n";
attempt(function () {
    run(function () {
        $a = spawn(function () use (&$b) { sleep(0.001); try { $b->await(); } finally { echo "a ends\n"; } });
        $b = spawn(fn () => $a->await());
        $b->await();
    });
});
attempt(fn () => run(fn () => Fiber::suspend()));

echo "-- exit\n";
register_shutdown_function(function () { usleep(1000); echo "shutdown function\n"; });
run(function () {
    spawn(function () { try { usleep(60_000_000); } finally { usleep(1000); echo "finally\n"; } });
    usleep(1000);
    echo "exit\n";
    exit(0);
});
echo "not reached\n";
?>
--EXPECTF--
-- where there is none
Error: Sluice\Coroutine\spawn() needs a loop: call it under Sluice\Coroutine\run(), or in a worker
Error: Sluice\Coroutine\all() has to wait, and cannot here: call it in a coroutine - under Sluice\Coroutine\run(), or in a worker
Error: Sluice\Coroutine\run() runs already: use Sluice\Coroutine\spawn() to start a further coroutine
Error: Sluice\Coroutine\all() has to wait, and cannot here: call it in a coroutine - under Sluice\Coroutine\run(), or in a worker
-- arguments
ValueError: Sluice\Coroutine\sleep(): Argument #1 ($seconds) must be between 0 and 1e9 seconds, -1 given
ValueError: Sluice\Coroutine\map(): Argument #3 ($limit) must be between 1 and 10000, 0 given
ValueError: Sluice\Coroutine\timeout(): Argument #1 ($seconds) must be between 0.001 and 1e9 seconds, 0 given
TypeError: Sluice\Coroutine\all(): Argument #2 must be a valid callback, string given
TypeError: Sluice\Coroutine\all(): Argument #1 $a must be a valid callback, int given
-- exceptions
cancelled
DomainException: out of run()
Error: A task cannot wait for its own end
-- deadlock
a ends
Sluice\Coroutine\DeadlockException: All coroutines wait for one another, so none of them would ever go on. They wait in
  Sluice\Coroutine\Task::await() at %scoroutine_ends.php:%d
  Sluice\Coroutine\Task::await() at %scoroutine_ends.php:%d
  Sluice\Coroutine\Task::await() at %scoroutine_ends.php:%d
Sluice\Coroutine\DeadlockException: All coroutines wait for one another, so none of them would ever go on. They wait in
  Fiber::suspend() at %scoroutine_ends.php:%d
-- exit
exit
shutdown function
finally
