--TEST--
A coroutine that the application has suspended by its Fiber: cancelled there, resumed by who holds it, and no Fiber serves two jobs that somebody still knows
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{CancelledError, Channel, TimeoutException};
use function Sluice\Coroutine\{all, run, sleep, spawn, stats, timeout};

run(function () {
    echo "-- cancelled\n";
    try {
        timeout(0.01, function () {
            try {
                Fiber::suspend();                                       // line 11
            } catch (CancelledError $e) {
                echo $e->getMessage(), ' at line ', $e->getLine(), "\n";
                sleep(0.001);
                throw $e;
            }
        });
    } catch (TimeoutException $e) {
        echo $e->getMessage(), "\n";
    }

    echo "-- cancelled in a shield, and before it suspends itself\n";
    $task = spawn(function () {
        \Sluice\Coroutine\shield(function () {
            $own = Fiber::getCurrent();
            spawn(fn () => $own->resume('resumed in the shield'));
            echo Fiber::suspend(), "\n";
        });
        sleep(60);
    });
    sleep(0);
    $task->cancel();
    try {
        $task->await();
    } catch (CancelledError $e) {
        echo $e->getMessage(), "\n";
    }

    echo "-- resumed and cancelled at once\n";
    $held = null;
    $task = spawn(function () use (&$held) {
        $held = Fiber::getCurrent();
        echo Fiber::suspend(), "\n";
        usleep(1000);
        echo "never\n";
    });
    sleep(0);
    $task->cancel();
    $held->resume('resumed first');
    try {
        $task->await();
    } catch (CancelledError $e) {
        echo $e->getMessage(), "\n";
    }

    echo "-- suspended again and again, and ended by who holds it\n";
    $task = spawn(function () use (&$held) {
        $held = Fiber::getCurrent();
        $got = [];
        while (($item = Fiber::suspend(count($got))) !== null) {
            $got[] = $item;
            usleep(1000);
        }
        return $got;
    });
    sleep(0);
    foreach ([1, 2, null] as $item) {
        $held->resume($item);
        usleep(5000);
    }
    echo json_encode($task->await()), ' ', json_encode($held->isTerminated()), "\n";
    unset($held);

    echo "-- what is known of a Fiber is not the next coroutine's\n";
    $local = new WeakMap;
    $seen = function () use ($local) {
        $before = $local[Fiber::getCurrent()] ?? 'nothing';
        $local[Fiber::getCurrent()] = 'something';
        return $before;
    };
    $before = [];
    for ($i = 0; $i < 3; ++$i) $before[] = spawn($seen)->await();
    $kept = [];
    for ($i = 0; $i < 3; ++$i) spawn(function () use (&$kept) { $kept[spl_object_id(Fiber::getCurrent())] = Fiber::getCurrent(); })->await();
    echo json_encode($before), ' ', count($local), ' ', count($kept), "\n";
    unset($kept);
    sleep(0);
    all(...array_fill(0, 3, fn () => usleep(100)));
    all(...array_fill(0, 3, fn () => usleep(100)));
    sleep(0);
    echo json_encode(stats()->pooled >= 3), "\n";
});
?>
--EXPECTF--
-- cancelled
The task was cancelled at line %d
The function has not ended within 0.01 s
-- cancelled in a shield, and before it suspends itself
resumed in the shield
The task was cancelled
-- resumed and cancelled at once
resumed first
The task was cancelled
-- suspended again and again, and ended by who holds it
[1,2] true
-- what is known of a Fiber is not the next coroutine's
["nothing","nothing","nothing"] 0 3
true
