--TEST--
Shared\Counter: waits for a change, in a process, with a time, and in a coroutine
--EXTENSIONS--
sluice
pcntl
--FILE--
<?php
use Sluice\Coroutine;
use Sluice\Shared\Counter;

$counter = new Counter('count');
$counter->set(5);
var_dump($counter->waitWhile(4), $counter->waitWhile(5, 0), $counter->waitWhile(5, 0.01));

echo "another process wakes\n";
$ready = new Counter('ready');
$pid = pcntl_fork();
if ($pid === 0) {
    // Until the other one sleeps, nobody is woken.
    $ready->waitWhile(0);
    for ($woken = 0; $woken === 0; usleep(1000)) {
        $woken = $counter->wake();
    }
    $counter->set(6);
    $counter->wake(1);
    exit(0);
}
$ready->set(1);
$ready->wake();
var_dump($counter->waitWhile(5));
pcntl_waitpid($pid, $status);
var_dump(pcntl_wexitstatus($status), $counter->get(), $counter->wake());

echo "a signal ends the wait\n";
pcntl_async_signals(true);
pcntl_signal(SIGALRM, fn() => print("signal\n"));
pcntl_alarm(1);
var_dump($counter->waitWhile(6));

echo "coroutines suspend\n";
Coroutine\run(function () use ($counter): void {
    Coroutine\spawn(function () use ($counter): void {
        echo "meanwhile\n";
        $counter->set(7);
    });
    var_dump($counter->waitWhile(6));
    $task = Coroutine\spawn(fn() => $counter->waitWhile(7));
    Coroutine\sleep(0);
    $task->cancel();
    try {
        $task->await();
    } catch (Coroutine\CancelledError $error) {
        echo get_class($error), "\n";
    }
});

foreach ([fn() => $counter->waitWhile(7, -1.0), fn() => $counter->wake(0)] as $call) {
    try {
        $call();
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
another process wakes
bool(true)
int(0)
int(6)
int(0)
a signal ends the wait
signal
bool(false)
coroutines suspend
meanwhile
bool(true)
Sluice\Coroutine\CancelledError
Sluice\Shared\Counter::waitWhile(): Argument #2 ($timeout) must be between 0 and 1e9 seconds, -1 given
Sluice\Shared\Counter::wake(): Argument #1 ($processes) must be 1 to 2147483647, 0 given
