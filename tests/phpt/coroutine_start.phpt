--TEST--
start() begins a coroutine at once, and suspend() and resume() switch by numbers
--EXTENSIONS--
sluice
--FILE--
<?php

use Sluice\Coroutine;

use function Sluice\Coroutine\{fiber, id, ids, parentId, resume, run, spawn, start, suspend, wait};

echo 'outside: ', id(), ' ', json_encode(ids()), ' ', json_encode(parentId()), "\n";

$task = start(function (string $text): string {
    echo "$text ", id(), ', parent ', parentId(), "\n";
    start(function (): void {
        echo 'inner ', id(), ', parent ', parentId(), "\n";
        echo 'resumed: ' . json_encode(suspend()), "\n";
        throw new RuntimeException('kept by nobody');
    });
    echo 'all: ', json_encode(ids()), "\n";
    echo 'resume: ' . json_encode(resume(2)), "\n";
    echo 'again: ', json_encode(resume(2)), ', itself: ', json_encode(resume(id())), ', none: ', json_encode(resume(77)), "\n";
    echo 'in time: ' . json_encode(suspend(0.001)), "\n";
    return 'done';
}, 'outer');
echo 'back in the script, done: ', json_encode($task->isDone()), "\n";
var_dump(fiber(1) instanceof Fiber, fiber(2));
wait();
var_dump($task->isDone());

// What sleeps does not wait in suspend().
start(function (): void {
    usleep(1000);
    echo "slept\n";
});
var_dump(resume(1));
wait();

// In run() numbers begin anew, and spawned coroutines can be resumed too.
run(function (): void {
    spawn(function (): void {
        echo 'spawned ', json_encode(suspend()), "\n";
    });
    Coroutine\sleep(0);
    var_dump(resume(2));
    try {
        wait();
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
});

// Waiting for one another is told.
start(fn() => suspend());
try {
    wait();
} catch (Coroutine\DeadlockException $deadlock) {
    echo substr($deadlock->getMessage(), 0, 39), "\n";
}

// A fork has a loop of its own.
start(function (): void {
    suspend(0.01);
    echo "only in the parent\n";
});
if (pcntl_fork() === 0) {
    start(function (): void {
        usleep(1000);
        echo 'in the child ', id(), "\n";
    });
    wait();
    exit;
}
pcntl_wait($status);

try {
    suspend();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
echo "the script's end\n";
?>
--EXPECTF--
outside: 0 [] null
outer 1, parent 0
inner 2, parent 1
all: [1,2]
resumed: true
%Aresume: true
again: false, itself: false, none: false
back in the script, done: false
bool(true)
NULL
in time: false
bool(true)
bool(false)
slept
spawned true
bool(true)
Sluice\Coroutine\wait() is for a script outside of its coroutines: in a coroutine wait for a Task
All coroutines wait for one another, so
in the child 1
Sluice\Coroutine\suspend() has to wait, and cannot here: call it in a coroutine - under Sluice\Coroutine\run(), or in a worker
the script's end
only in the parent
