--TEST--
Shared\ReadWriteLock: many readers or one writer, between coroutines and processes
--EXTENSIONS--
sluice
pcntl
posix
--FILE--
<?php
use Sluice\Coroutine;
use Sluice\Shared\{Counter, ReadWriteLock};

$lock = new ReadWriteLock('l');
$seen = new Counter('seen');
Coroutine\run(function () use ($lock): void {
    echo $lock->read(fn() => $lock->read(fn() => 'two readers')), "\n";
    foreach ([fn() => $lock->read(fn() => $lock->write(fn() => 0, timeout: 0.01)), fn() => $lock->write(fn() => $lock->read(fn() => 0, timeout: 0.01)),
        fn() => $lock->write(fn() => $lock->write(fn() => 0, timeout: 0.01))] as $call) {
        try {
            $call();
        } catch (Coroutine\TimeoutException $exception) {
            echo $exception->getMessage(), "\n";
        }
    }
    echo $lock->write(fn() => $lock->write(fn() => 'another key', 'b')), "\n";
    try {
        $lock->read(fn() => 0, timeout: -1.0);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }

    // A writer that waits goes before readers that come later.
    $order = new ArrayObject();
    $first = Coroutine\spawn(fn() => $lock->read(fn() => Coroutine\sleep(0.05)));
    Coroutine\sleep(0);
    $writer = Coroutine\spawn(fn() => $lock->write(function () use ($order): void {
        $order[] = 'writer';
    }));
    Coroutine\sleep(0);
    $reader = Coroutine\spawn(fn() => $lock->read(function () use ($order): void {
        $order[] = 'reader';
    }));
    $first->await();
    $writer->await();
    $reader->await();
    echo implode(' ', $order->getArrayCopy()), "\n";
});

// What a killed process holds is free.
$pid = pcntl_fork();
if ($pid === 0) {
    $lock->write(function () use ($seen): void {
        $seen->set(1);
        $seen->wake();
        sleep(60);
    });
}
$seen->waitWhile(0);
try {
    $lock->read(fn() => 0, timeout: 0.01);
} catch (Coroutine\TimeoutException $exception) {
    echo "held\n";
}
posix_kill($pid, SIGKILL);
pcntl_waitpid($pid, $status);
echo $lock->read(fn() => 'free'), "\n";
?>
--EXPECT--
two readers
The lock "all" of "l" has not become free within 0.01 s
The lock "all" of "l" has not become free within 0.01 s
The lock "all" of "l" has not become free within 0.01 s
another key
-1 seconds to wait for a lock: it must be 0 to 1e9
writer reader
held
free
