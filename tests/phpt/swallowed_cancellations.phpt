--TEST--
A coroutine that catches its CancelledError and goes on waiting is ended after three seconds, as no catch gets the exception that ends it
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{CancelledError, Channel, TaskGroup};
use function Sluice\Coroutine\{all, defer, run, shield, sleep, spawn};

$told = [];
$scenarios = [
    'loop' => function () use (&$told) {
        defer(function () use (&$told) { $told['loop'][] = 'deferred'; });
        try {
            while (true) {
                try {
                    sleep(60);
                } catch (Throwable $e) {
                    $told['loop'][] = get_class($e);
                }
            }
        } finally {
            $told['loop'][] = 'finally';
        }
    },
    'one wait' => function () {
        try { sleep(60); } catch (Throwable) {}
        (new Channel())->pop();
    },
    'call of C' => function () {
        while (true) {
            try { usleep(60_000_000); } catch (Throwable) {}
        }
    },
    'waits in finally' => function () {
        try { sleep(60); } finally { while (true) { try { sleep(60); } finally { sleep(60); } } }
    },
    'children' => function () use (&$told) {
        while (true) {
            try {
                all(function () use (&$told) { try { sleep(60); } finally { $told['children'][] = 'finally of a child'; } });
            } catch (Throwable) {}
        }
    },
    'its own Fiber' => function () use (&$told) {
        $fiber = new Fiber(function () use (&$told) {
            try {
                while (true) {
                    try { sleep(60); } catch (Throwable) {}
                }
            } finally {
                $told['its own Fiber'][] = 'finally';
            }
        });
        $fiber->start();
    },
    'held' => function () use (&$told) {
        $told['fiber'] = Fiber::getCurrent();
        try {
            while (true) {
                try { Fiber::suspend(); } catch (Throwable $e) { $told['held'][] = get_class($e); }
            }
        } finally {
            $told['held'][] = 'finally';
        }
    },
    'generator' => function () {
        $items = (function () { while (true) { try { sleep(60); yield 1; } catch (Throwable) {} } })();
        foreach ($items as $item) {}
    },
    'cleans up' => function () use (&$told) {
        try {
            sleep(60);
        } finally {
            for ($turn = 0; $turn < 10; $turn++) { usleep(1000); }
            $told['cleans up'][] = 'cleaned up';
        }
    },
    'in a shield' => function () use (&$told) {
        try {
            sleep(60);
        } finally {
            shield(function () { for ($turn = 0; $turn < 40; $turn++) { sleep(0.1); } });
            $told['in a shield'][] = 'cleaned up';
        }
    },
    'for its children' => function () use (&$told) {
        try {
            TaskGroup::run(function (TaskGroup $group) use (&$told) {
                $group->spawn(function () use (&$told) {
                    shield(fn () => sleep(4));
                    $told['for its children'][] = 'the child has ended';
                });
            });
        } finally {
            $told['for its children'][] = 'and then its parent';
        }
    },
];
run(function () use ($scenarios, &$told) {
    $tasks = array_map(fn (Closure $scenario) => spawn($scenario), $scenarios);
    sleep(0.01);
    foreach ($tasks as $task) { $task->cancel(); }
    $ends = [];
    foreach ($tasks as $name => $task) {
        try {
            $task->await();
            $ends[$name] = 'ended by itself';
        } catch (CancelledError $e) {
            $ends[$name] = $e->getMessage();
        }
    }
    // Once all have ended: the children of one that is ended end by themselves, a little later than it.
    foreach ($ends as $name => $end) { echo "$name: ", implode(', ', $told[$name] ?? []), ": $end\n"; }
}, stallSeconds: 0);
?>
--EXPECTF--
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
%s warning: A coroutine that was cancelled 3 s ago still waits, in %s at %sswallowed_cancellations.php:%d. It is ended there: throw CancelledError again after cleaning up, and put what takes longer into Coroutine\shield()
loop: Sluice\Coroutine\CancelledError, finally, deferred: The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
one wait: : The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
call of C: : The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
waits in finally: : The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
children: finally of a child, finally of a child: The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
its own Fiber: finally: The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
held: Sluice\Coroutine\CancelledError, finally: The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
generator: : The coroutine was cancelled, and still waited 3 s later: it was ended where it waited
cleans up: cleaned up: The task was cancelled
in a shield: cleaned up: The task was cancelled
for its children: the child has ended, and then its parent: The task was cancelled
