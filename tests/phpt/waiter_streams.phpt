--TEST--
Internal\Waiter waits for many streams at once, and for wake(), in a coroutine and elsewhere
--SKIPIF--
<?php
if (!extension_loaded('sluice')) die('skip the extension is not loaded');
?>
--FILE--
<?php
use Sluice\Coroutine;
use Sluice\Internal\Waiter;

function pairs(int $count): array
{
    return array_map(fn () => stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0), range(1, $count));
}

function both(): void
{
    $waiter = new Waiter();
    [$a, $b] = pairs(2);
    $read = ['a' => $a[0], 7 => $b[0]];
    echo json_encode($waiter->waitForStreams($read, [], 0)), "\n";
    echo json_encode($waiter->waitForStreams($read, ['w' => $a[0]], 10)), "\n";
    fwrite($b[1], "one\ntwo\n");
    echo json_encode($waiter->waitForStreams($read, [], 10)), "\n";
    fgets($b[0]);
    echo 'in a buffer: ', json_encode($waiter->waitForStreams($read, [], 10)), "\n";
    fclose($a[1]);
    echo 'the other end has closed: ', json_encode($waiter->waitForStreams(['a' => $a[0]], [], 10)), "\n";
    fclose($a[0]);
    $memory = fopen('php://memory', 'r');
    echo 'closed, of no descriptor, no stream: ', json_encode($waiter->waitForStreams([$a[0], $memory, 'x'], [$a[0]], 0.001)), "\n";
    $waiter->wake();
    $start = hrtime(true);
    echo 'woken before: ', json_encode($waiter->waitForStreams([], [], 10)), hrtime(true) - $start < 5e9 ? ' at once' : '', "\n";
    try {
        $waiter->waitForStreams([], [], -1);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}

echo "in {main}\n";
both();
echo "in a coroutine\n";
Coroutine\run(both(...));

Coroutine\run(function () {
    $waiter = new Waiter();
    $pairs = pairs(50);
    $others = Coroutine\spawn(function () use ($waiter, $pairs) {
        usleep(1000);
        $waiter->wake();
        usleep(1000);
        fwrite($pairs[33][1], 'x');
    });
    $read = array_column($pairs, 0);
    echo json_encode($waiter->waitForStreams($read, [], 10)), "\n";
    echo json_encode($waiter->waitForStreams($read, [], 10)), "\n";
    echo json_encode($waiter->waitForStreams(array_slice($read, 0, 5), [], 0.01)), "\n";

    $task = Coroutine\spawn(function () use ($waiter, $read) {
        try {
            $waiter->waitForStreams(array_slice($read, 0, 5), [], 10);
        } finally {
            echo "cancelled\n";
        }
    });
    usleep(1000);
    $task->cancel();
    try {
        $task->await();
    } catch (Coroutine\CancelledError $error) {
        echo get_class($error), "\n";
    }
    // Closing a stream ends all waits for it.
    Coroutine\spawn(function () use ($pairs) {
        usleep(1000);
        fclose($pairs[0][0]);
    });
    echo json_encode($waiter->waitForStreams(array_slice($read, 0, 2), [], 10)), "\n";

    var_dump(Waiter::ownsFiber());
    (new Fiber(function () {
        var_dump(Waiter::ownsFiber(), Waiter::canWait());
    }))->start();
});
var_dump(Waiter::ownsFiber());
?>
--EXPECT--
in {main}
[[],[]]
[[],["w"]]
[[7],[]]
in a buffer: [[7],[]]
the other end has closed: [["a"],[]]
closed, of no descriptor, no stream: [[],[]]
woken before: [[],[]] at once
Sluice\Internal\Waiter::waitForStreams(): Argument #3 ($seconds) must be between 0 and 1e9 seconds, -1 given
in a coroutine
[[],[]]
[[],["w"]]
[[7],[]]
in a buffer: [[7],[]]
the other end has closed: [["a"],[]]
closed, of no descriptor, no stream: [[],[]]
woken before: [[],[]] at once
Sluice\Internal\Waiter::waitForStreams(): Argument #3 ($seconds) must be between 0 and 1e9 seconds, -1 given
[[],[]]
[[33],[]]
[[],[]]
cancelled
Sluice\Coroutine\CancelledError
[[],[]]
bool(true)
bool(false)
bool(true)
bool(false)
