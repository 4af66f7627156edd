--TEST--
Signal handlers of the script are called while every coroutine waits, and none is missed
--EXTENSIONS--
sluice
pcntl
posix
--FILE--
<?php
use function Sluice\Coroutine\{run, sleep, spawn};

$seen = [];
$handler = function (int $signal) use (&$seen) { $seen[] = $signal; };
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, $handler);

run(function () use ($handler, &$seen) {
    echo "-- set before run(), sent by another process, nobody runs\n";
    $child = pcntl_fork();
    if ($child === 0) {
        \usleep(20_000);
        posix_kill(posix_getppid(), SIGUSR1);
        posix_kill(getmypid(), SIGKILL);
    }
    while (!$seen) {
        sleep(0.005);
    }
    var_dump($seen === [SIGUSR1]);
    pcntl_waitpid($child, $status);

    echo "-- set within\n";
    pcntl_signal(SIGUSR2, $handler);
    $seen = [];
    $child = pcntl_fork();
    if ($child === 0) {
        for ($i = 0; $i < 50; ++$i) {
            posix_kill(posix_getppid(), SIGUSR2);
            \usleep(100);
        }
        posix_kill(getmypid(), SIGKILL);
    }
    while (!$seen) {
        sleep(0.005);
    }
    var_dump(array_unique($seen) === [SIGUSR2]);
    pcntl_waitpid($child, $status);

    echo "-- what a handler throws\n";
    pcntl_signal(SIGUSR1, fn () => throw new Exception('out of a signal handler'));
    spawn(function () {
        try {
            posix_kill(getmypid(), SIGUSR1);
            for ($i = 0; $i < 1000; ++$i);
        } catch (Exception $e) {
            echo $e->getMessage(), "\n";
        }
    })->await();
});

echo "-- a coroutine that waits for what a handler does\n";
run(function () {
    $waiting = Fiber::getCurrent();
    pcntl_signal(SIGUSR1, fn () => spawn(fn () => $waiting->resume('woken by a signal')));
    if (pcntl_fork() === 0) {
        \usleep(20_000);
        posix_kill(posix_getppid(), SIGUSR1);
        posix_kill(getmypid(), SIGKILL);
    }
    echo Fiber::suspend(), "\n";
});

echo "-- outside again\n";
pcntl_signal(SIGUSR1, fn () => print("as ever\n"));
posix_kill(getmypid(), SIGUSR1);
?>
--EXPECT--
-- set before run(), sent by another process, nobody runs
bool(true)
-- set within
bool(true)
-- what a handler throws
out of a signal handler
-- a coroutine that waits for what a handler does
woken by a signal
-- outside again
as ever
