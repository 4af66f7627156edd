--TEST--
Task groups end after their tasks, context values go down but not up, and what is deferred runs at the end
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{CancelledError, ContextValue, TaskGroup};
use function Sluice\Coroutine\{all, defer, run, sleep, spawn, timeout};

require __DIR__ . '/attempt_all.inc';

class Ends { function __construct(private string $what) {} function __destruct() { echo "$this->what destroyed\n"; } }

run(function () {
    echo "-- a group ends after its tasks\n";
    var_dump(TaskGroup::run(function (TaskGroup $group) {
        $group->spawn(function (string $what) use ($group) {
            sleep(0.01);
            echo "$what\n";
            $group->spawn(function () { sleep(0.001); echo "spawned by a task\n"; });
        }, what: 'a task');
        return 'result';
    }));

    echo "-- the first failure cancels all others\n";
    attempt(fn () => TaskGroup::run(function (TaskGroup $group) {
        $group->spawn(function () { try { sleep(60); } finally { sleep(0.002); echo "cleaned up\n"; } });
        $group->spawn(function () { sleep(0.001); throw new DomainException('fails'); });
        try {
            sleep(60);
        } catch (CancelledError $e) {
            echo "the body, too\n";
            throw $e;
        }
    }));
    attempt(fn () => TaskGroup::run(function (TaskGroup $group) {
        $group->spawn(function () { try { sleep(60); } finally { echo "cleaned up\n"; } });
        sleep(0);
        throw new DomainException('out of the body');
    }));

    echo "-- cancelled ones have not failed\n";
    var_dump(TaskGroup::run(function (TaskGroup $group) {
        $task = $group->spawn(fn () => sleep(60));
        $group->spawn(fn () => sleep(60));
        sleep(0);
        $task->cancel();
        attempt(fn () => $task->await());
        $group->cancel();
        return 'goes on';
    }));

    echo "-- who waits for the group is cancelled\n";
    $outer = spawn(fn () => TaskGroup::run(function (TaskGroup $group) {
        $group->spawn(function () { try { sleep(60); } finally { sleep(0.002); echo "task ends\n"; } });
        try { sleep(60); } finally { echo "body ends\n"; }
    }));
    sleep(0.002);
    $outer->cancel();
    $outer->cancel();
    attempt(fn () => $outer->await());
    attempt(fn () => timeout(0.002, fn () => TaskGroup::run(fn ($group) => $group->spawn(fn () => sleep(60)))));

    echo "-- too late\n";
    $kept = TaskGroup::run(fn ($group) => $group);
    attempt(fn () => $kept->spawn(fn () => 1));

    echo "-- context\n";
    $user = new ContextValue('nobody');
    $user->set('me');
    $seen = [];
    $child = spawn(function () use ($user, &$seen) {
        $seen[] = $user->get();
        sleep(0.002);
        $seen[] = $user->get();
        $user->set('child');
        $seen[] = spawn(fn () => $user->get())->await();
    });
    $user->set('later');
    $child->await();
    echo implode(', ', $seen), ", {$user->get()}\n";
    echo json_encode(all(
        fn () => $user->set(1) ?? sleep(0.001) ?? $user->get(),
        fn () => $user->get(),
        fn () => $user->with('within', fn () => spawn(fn () => sleep(0.001) ?? $user->get())->await()) . ', ' . $user->get(),
    )), "\n";
    attempt(fn () => $user->with('within', fn () => throw new DomainException($user->get())));
    echo $user->get(), "\n";
    (new Fiber(function () use ($user) { echo "in a Fiber: {$user->get()}\n"; $user->set('set in a Fiber'); }))->start();
    echo $user->get(), "\n";
    $another = new ContextValue;
    var_dump($another->get());
    $holder = new ContextValue;
    spawn(function () use ($holder) { $holder->set(new Ends('value')); sleep(0.001); echo "ends\n"; })->await();

    echo "-- defer\n";
    spawn(function () {
        defer(fn () => print("first deferred\n"));
        defer(function () { sleep(0.001); echo "last deferred\n"; defer(fn () => print("deferred meanwhile\n")); });
        echo "body\n";
    })->await();
    attempt(fn () => spawn(function () {
        defer(fn () => print("after an exception\n"));
        throw new DomainException('thrown');
    })->await());
    try {
        spawn(function () {
            defer(fn () => print("and the next one runs\n"));
            defer(fn () => throw new LogicException('of defer'));
            throw new DomainException('of the body');
        })->await();
    } catch (LogicException $e) {
        echo $e->getMessage(), ' after ', $e->getPrevious()->getMessage(), "\n";
    }
    $task = spawn(function () {
        defer(function () { sleep(0.001); echo "after a cancellation\n"; });
        sleep(60);
    });
    sleep(0);
    $task->cancel();
    attempt(fn () => $task->await());
    defer(fn () => print("the main function's\n"));
});
echo "-- outside\n";
attempt(fn () => defer(fn () => 1));
$value = new ContextValue;
$value->set('process');
echo run(fn () => $value->get() . ' ' . $value->set('main')), $value->get(), "\n";
echo "-- exit\n";
run(function () {
    defer(fn () => print("not of who exits\n"));
    spawn(function () { defer(fn () => print("of who waits\n")); sleep(60); });
    sleep(0);
    exit;
});
?>
--EXPECT--
-- a group ends after its tasks
a task
spawned by a task
string(6) "result"
-- the first failure cancels all others
the body, too
cleaned up
DomainException: fails
cleaned up
DomainException: out of the body
-- cancelled ones have not failed
Sluice\Coroutine\CancelledError: The task was cancelled
string(7) "goes on"
-- who waits for the group is cancelled
body ends
task ends
Sluice\Coroutine\CancelledError: The task was cancelled
Sluice\Coroutine\TimeoutException: The function has not ended within 0.002 s
-- too late
Error: The group has ended: nothing can be spawned in it any more
-- context
me, me, child, later
[1,"later","within, later"]
DomainException: within
later
in a Fiber: later
set in a Fiber
NULL
ends
value destroyed
-- defer
body
last deferred
deferred meanwhile
first deferred
after an exception
DomainException: thrown
and the next one runs
of defer after of the body
after a cancellation
Sluice\Coroutine\CancelledError: The task was cancelled
the main function's
-- outside
Error: Sluice\Coroutine\defer() needs a coroutine, at whose end it calls the function: call it under Sluice\Coroutine\run(), or in a worker's handler
process process
-- exit
of who waits
