--TEST--
Coroutines wait at the same time, and their results, failures and cancellations come out where they are asked for
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{CancelledError, TimeoutException};
use function Sluice\Coroutine\{all, any, map, race, run, shield, sleep, spawn, timeout};

$start = hrtime(true);
$result = run(function () {
    $task = spawn(fn (int $x, int $times) => usleep(300_000) ?? $x * $times, 21, times: 2);
    echo json_encode(all(
        fn () => usleep(300_000) ?? 'usleep',
        function () { time_nanosleep(0, 300_000_000); return 'nanosleep'; },
        later: function () { sleep(0.3); return 'sleep'; },
    )), "\n";
    var_dump($task->await(), $task->isDone(), $task->cancel());

    echo "-- map\n";
    $most = $now = 0;
    echo json_encode(map(['a' => 1, 'b' => 2, 7 => 3, 8 => 4], function ($item) use (&$most, &$now) {
        $most = max($most, ++$now);
        sleep(0.01 * (5 - $item));
        --$now;
        return $item * 10;
    }, 2)), " $most at once\n";
    echo json_encode(map([], fn () => 1)), json_encode(all()), "\n";

    echo "-- race, any\n";
    var_dump(race(fn () => sleep(60), fn () => 'first'));
    var_dump(any(function () { throw new Exception('fails'); }, function () { sleep(0.01); return 'succeeds'; }));
    try {
        any(function () { sleep(0.02); throw new Exception('last'); }, function () { throw new Exception('first'); });
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }

    echo "-- a failure cancels the others, and is waited for\n";
    try {
        all(function () {
            try {
                sleep(60);
            } finally {
                sleep(0.01);
                echo "cleaned up\n";
            }
        }, function () { sleep(0.01); throw new LogicException('fails'); });
    } catch (LogicException $e) {
        echo $e->getMessage(), "\n";
    }

    echo "-- a shield\n";
    $task = spawn(function () {
        try {
            echo shield(function () {
                sleep(0.05);
                return shield(fn () => usleep(10_000) ?? "completed\n");
            });
            sleep(60);
        } catch (CancelledError) {
            echo "then cancelled\n";
        }
    });
    sleep(0.01);
    $task->cancel();
    $task->await();
    try {
        shield(fn () => throw new LogicException('thrown in it'));
    } catch (LogicException $e) {
        echo $e->getMessage(), "\n";
    }
    echo "-- timeout\n";
    var_dump(timeout(60, fn () => 'in time'));
    try {
        timeout(0.02, function () { try { usleep(60_000_000); } finally { echo "cancelled\n"; } });
    } catch (TimeoutException $e) {
        echo $e->getMessage(), "\n";
    }

    echo "-- cancelled before it begins\n";
    $task = spawn(fn () => print("never\n"));
    var_dump($task->cancel());
    try {
        $task->await();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
    echo "-- what catches exceptions does not stop a cancellation\n";
    $task = spawn(function () {
        try {
            sleep(60);
        } catch (Exception) {
            echo "caught\n";
        }
        return 'went on';
    });
    sleep(0.01);
    $task->cancel();
    try {
        echo $task->await(), "\n";
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
    spawn(function () { sleep(0.05); echo "run() waits for this\n"; });
    return 'done';
});
var_dump($result);
$seconds = (hrtime(true) - $start) / 1e9;
echo $seconds >= 0.3 && $seconds < 20 ? "at the same time\n" : "took $seconds s\n";
?>
--EXPECT--
{"0":"usleep","1":"nanosleep","later":"sleep"}
int(42)
bool(true)
bool(false)
-- map
{"a":10,"b":20,"7":30,"8":40} 2 at once
[][]
-- race, any
string(5) "first"
string(8) "succeeds"
last
-- a failure cancels the others, and is waited for
cleaned up
fails
-- a shield
completed
then cancelled
thrown in it
-- timeout
string(7) "in time"
cancelled
The function has not ended within 0.02 s
-- cancelled before it begins
bool(true)
Sluice\Coroutine\CancelledError: The task was cancelled before it had begun
-- what catches exceptions does not stop a cancellation
Sluice\Coroutine\CancelledError: The task was cancelled
run() waits for this
string(4) "done"
at the same time
