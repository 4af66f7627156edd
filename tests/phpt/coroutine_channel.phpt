--TEST--
Channels hand every item on once and in order: full, empty, without room, closed, timed out and cancelled
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{CancelledError, Channel, ClosedException};
use function Sluice\Coroutine\{run, sleep, spawn};

require __DIR__ . '/attempt_all.inc';

run(function () {
    echo "-- bounded\n";
    $channel = new Channel(2);
    $pushed = 0;
    $producer = spawn(function () use ($channel, &$pushed) {
        for ($i = 1; $i <= 5; ++$i) {
            $channel->push($i);
            ++$pushed;
        }
        $channel->close();
    });
    sleep(0);
    echo "$pushed pushed, ", count($channel), " in it\n";
    foreach ($channel as $place => $item) {
        echo "$place => $item ";
    }
    echo "\n";
    var_dump($channel->isClosed(), $producer->isDone());
    attempt(fn () => $channel->push(6));
    attempt(fn () => $channel->pop());

    echo "-- rendezvous\n";
    $channel = new Channel;
    $log = [];
    $task = spawn(function () use ($channel, &$log) { $channel->push('a'); $log[] = 'given'; $channel->push(null); $log[] = 'given'; });
    sleep(0.002);
    $log[] = 'taking';
    var_dump($channel->pop(), $channel->pop());
    $task->await();
    echo implode(' ', $log), "\n";

    echo "-- many to many, in order for each\n";
    $channel = new Channel(3);
    $producers = array_map(fn ($name) => spawn(function () use ($channel, $name) {
        for ($i = 0; $i < 200; ++$i) {
            $channel->push([$name, $i]);
            if ($i % 7 === 0) sleep(0);
        }
    }), ['a', 'b', 'c']);
    $got = [];
    $consumers = array_map(function () use ($channel, &$got) { return spawn(function () use ($channel, &$got) {
        foreach ($channel as [$name, $i]) {
            $got[$name][] = $i;
            if ($i % 5 === 0) sleep(0);
        }
    }); }, [1, 2, 3, 4]);
    array_map(fn ($task) => $task->await(), $producers);
    $channel->close();
    array_map(fn ($task) => $task->await(), $consumers);
    ksort($got);
    foreach ($got as $name => $items) {
        sort($items);
        echo $name, $items === range(0, 199) ? " whole\n" : " not whole\n";
    }

    echo "-- timeouts\n";
    $channel = new Channel(1);
    attempt(fn () => $channel->pop(0.005));
    attempt(fn () => $channel->pop(0));
    $channel->push('only');
    attempt(fn () => $channel->push('more', 0.005));
    var_dump($channel->pop(0), count($channel));
    attempt(fn () => $channel->pop(-1));
    attempt(fn () => new Channel(-1));

    echo "-- closed while they wait\n";
    $channel = new Channel(1);
    $channel->push('in it');
    $pushing = spawn(fn () => attempt(fn () => $channel->push('not in it')));
    $empty = new Channel;
    $popping = spawn(fn () => attempt(fn () => $empty->pop()));
    sleep(0);
    $channel->close();
    $empty->close();
    $pushing->await();
    $popping->await();
    var_dump($channel->pop());
    attempt(fn () => $channel->pop());

    echo "-- a cancelled pop() loses nothing, at whatever moment\n";
    $channel = new Channel;
    $first = spawn(fn () => $channel->pop());
    $second = spawn(fn () => $channel->pop());
    sleep(0);
    $giver = spawn(fn () => $channel->push('item'));
    // The item is on its way to the first when that is cancelled.
    spawn(fn () => $first->cancel());
    var_dump($second->await());
    attempt(fn () => $first->await());
    $channel = new Channel(1);
    $first = spawn(fn () => $channel->pop());
    sleep(0);
    $channel->push(1);
    $channel->push(2);
    $first->cancel();
    attempt(fn () => $first->await());
    var_dump($channel->pop(), $channel->pop());

    echo "-- a cancelled push() has not pushed\n";
    $channel = new Channel;
    $first = spawn(fn () => $channel->push('cancelled'));
    $second = spawn(fn () => $channel->push('arrives'));
    sleep(0);
    $first->cancel();
    sleep(0);
    var_dump($channel->pop());
    attempt(fn () => $channel->pop(0.001));

    echo "-- destroyed with who waits in it\n";
    $channel = new Channel;
    spawn(function () use ($channel) { try { $channel->pop(); } finally { echo "ended\n"; } })->cancel();
    $channel = new Channel(2);
    $channel->push($channel);
});
echo "-- outside\n";
$channel = new Channel(1);
$channel->push('kept');
var_dump($channel->pop());
attempt(fn () => $channel->pop());
foreach ((function () { yield 1; })() as $_) {
    attempt(function () use ($channel) { foreach ($channel as &$item); });
}
?>
--EXPECT--
-- bounded
2 pushed, 2 in it
0 => 1 1 => 2 2 => 3 3 => 4 4 => 5 
bool(true)
bool(true)
Sluice\Coroutine\ClosedException: The channel is closed: nothing more can be pushed
Sluice\Coroutine\ClosedException: The channel is closed, and nothing is left in it
-- rendezvous
string(1) "a"
NULL
taking given given
-- many to many, in order for each
a whole
b whole
c whole
-- timeouts
Sluice\Coroutine\TimeoutException: The channel was empty, and nobody has pushed anything within 0.005 s
Sluice\Coroutine\TimeoutException: The channel was empty, and nobody has pushed anything within 0 s
Sluice\Coroutine\TimeoutException: The channel was full, and nobody has taken anything within 0.005 s
string(4) "only"
int(0)
ValueError: Sluice\Coroutine\Channel::pop(): Argument #1 ($timeout) must be between 0 and 1e9 seconds, -1 given
ValueError: Sluice\Coroutine\Channel::__construct(): Argument #1 ($capacity) must be between 0 and 1000000 items, -1 given
-- closed while they wait
Sluice\Coroutine\ClosedException: The channel was closed while push() waited for room
Sluice\Coroutine\ClosedException: The channel is closed, and nothing is left in it
string(5) "in it"
Sluice\Coroutine\ClosedException: The channel is closed, and nothing is left in it
-- a cancelled pop() loses nothing, at whatever moment
string(4) "item"
Sluice\Coroutine\CancelledError: The task was cancelled
Sluice\Coroutine\CancelledError: The task was cancelled
int(1)
int(2)
-- a cancelled push() has not pushed
string(7) "arrives"
Sluice\Coroutine\TimeoutException: The channel was empty, and nobody has pushed anything within 0.001 s
-- destroyed with who waits in it
-- outside
string(4) "kept"
Error: Sluice\Coroutine\Channel::pop() has to wait, and cannot here: call it in a coroutine - under Sluice\Coroutine\run(), or in a worker
Error: The items of a channel cannot be iterated by reference
