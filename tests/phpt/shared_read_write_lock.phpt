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

    // All others have it in the order in which they have come, however long each waits between two looks; readers together.
    $order = new ArrayObject();
    $isHeld = true;
    $inside = 0;
    $hold = function () use (&$isHeld): void {
        while ($isHeld) {
            Coroutine\sleep(0.001);
        }
    };
    $all = [Coroutine\spawn(fn() => $lock->write($hold))];
    foreach (['w1', 'w2', 'r1', 'r2', 'w3', 'r3', 'w4'] as $one) {
        Coroutine\sleep(0);
        $all[] = Coroutine\spawn(function () use ($lock, $order, $one, &$inside): void {
            $work = function () use ($order, $one, &$inside): void {
                $order[] = $one;
                // The two readers between the writers wait until both are in.
                $inside += (int) in_array($one, ['r1', 'r2'], true);
                do {
                    Coroutine\sleep(0.001);
                } while ($inside === 1);
                $order[] = "-$one";
            };
            $one[0] === 'w' ? $lock->write($work) : $lock->read($work);
        });
    }
    // One that gives up leaves its place.
    try {
        $lock->write(fn() => 0, timeout: 0.01);
    } catch (Coroutine\TimeoutException) {
        $order[] = 'late';
    }
    $isHeld = false;
    foreach ($all as $task) {
        $task->await();
    }
    echo preg_replace('/r1 r2 (-r1 -r2|-r2 -r1)/', '(r1 r2)', preg_replace('/r2 r1/', 'r1 r2', implode(' ', $order->getArrayCopy()))), "\n";
    $table = new Sluice\Shared\Table('rwlock:l', 1 << 20);
    echo json_encode($table->get('all')), "\n";
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
late w1 -w1 w2 -w2 (r1 r2) w3 -w3 r3 -r3 w4 -w4
null
held
free
