--TEST--
A pool lends each thing to one at a time, makes no more than it may, serves in turn, and replaces what is broken
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';

use Sluice\Pool;
use Sluice\Coroutine\{CancelledError, TimeoutException};
use function Sluice\Coroutine\{all, map, run, sleep, spawn, timeout};

/** The thing that a pool lends here: it knows who has it, and whether it works. */
final class Thing
{
    public static int $made = 0, $closed = 0, $live = 0, $most = 0, $checks = 0, $resets = 0;
    public int $number;
    public bool $used = false, $broken = false;

    public function __construct()
    {
        sleep(0.005);
        $this->number = ++self::$made;
        self::$most = max(self::$most, ++self::$live);
    }
    public static function close(Thing $thing): void { ++self::$closed; --self::$live; }
    public static function check(Thing $thing): bool { ++self::$checks; return !$thing->broken; }
    public static function reset(Thing $thing): void { ++self::$resets; if ($thing->broken) throw new Exception('broken'); }
    public static function clear(): void { self::$made = self::$closed = self::$live = self::$most = self::$checks = self::$resets = 0; }
}

function pool(mixed ...$options): Pool
{
    Thing::clear();
    return new Pool(...$options + ['create' => fn () => new Thing(), 'reset' => Thing::reset(...), 'check' => Thing::check(...), 'close' => Thing::close(...)]);
}
function show(Pool $pool): void { echo json_encode($pool->stats()), "\n"; }
function work(Pool $pool, float $seconds): int
{
    return $pool->use(function (Thing $thing) use ($seconds) {
        if ($thing->used) echo "used by two\n";
        $thing->used = true;
        sleep($seconds);
        $thing->used = false;
        return $thing->number;
    });
}

run(function () {
    echo "-- many borrowers, few things\n";
    $pool = pool(max: 3);
    $numbers = map(range(1, 100), fn () => work($pool, 0.001), 100);
    echo count($numbers), ' served by ', count(array_unique($numbers)), ', at most ', Thing::$most, "\n";
    show($pool);
    $pool->close();
    echo Thing::$live, " left\n";
    attempt('closed', fn () => work($pool, 0));

    echo "-- first come, first served\n";
    $pool = pool(max: 1);
    $order = new ArrayObject();
    all(...array_map(fn ($n) => function () use ($pool, $n, $order) {
        $pool->use(function () use ($n, $order) { $order[] = $n; sleep(0.001); });
        // A coroutine that has just had the thing stands last in the queue.
        $pool->use(fn () => $order[] = $n);
    }, range(1, 4)));
    echo implode(' ', (array) $order), "\n";

    echo "-- waiting ends\n";
    $pool = pool(max: 1, waitLimit: 0.02);
    $lease = $pool->borrow();
    attempt('late', fn () => $pool->use(fn () => 1));
    show($pool);
    $lease->giveBack();
    $lease->giveBack();
    echo $pool->use(fn (Thing $thing) => $thing->number), "\n";

    echo "-- a lease that is forgotten\n";
    $lease = $pool->borrow();
    unset($lease);
    show($pool);
    $pool->borrow()->discard();
    show($pool);

    echo "-- cancelled: while it waits, while it has one, while one is made\n";
    $pool = pool(max: 1);
    $lease = $pool->borrow();
    $waits = spawn(fn () => work($pool, 0));
    $next = spawn(fn () => work($pool, 0));
    sleep(0.01);
    $waits->cancel();
    sleep(0.01);
    show($pool);
    $lease->giveBack();
    echo $next->await(), "\n";
    attempt('timeout', fn () => timeout(0.01, fn () => work($pool, 60)));
    show($pool);
    attempt('timeout', fn () => timeout(0.002, fn () => work($pool, 60)));
    show($pool);
    $both = [];
    $lease = $pool->borrow();
    $waits = spawn(function () use ($pool, &$both) { try { work($pool, 0); } catch (CancelledError) { $both[] = 'cancelled'; } });
    $next = spawn(function () use ($pool, &$both) { work($pool, 0); $both[] = 'served'; });
    sleep(0.01);
    // The first waiter has been given the thing, and is cancelled before it could take it.
    $lease->giveBack();
    $waits->cancel();
    $next->await();
    echo implode(' ', $both), "\n";
    show($pool);

    echo "-- making one fails, and others may try\n";
    $fail = 2;
    $pool = new Pool(function () use (&$fail) { sleep(0.001); if ($fail-- > 0) throw new RuntimeException('no server'); return 'it'; }, max: 1);
    $answers = map([1, 2, 3], function () use ($pool) { try { return $pool->use(fn ($it) => $it); } catch (RuntimeException $e) { return $e->getMessage(); } });
    echo implode(', ', $answers), "\n";
    show($pool);

    echo "-- broken ones are replaced\n";
    $pool = pool(max: 2);
    attempt('break', fn () => $pool->use(function (Thing $thing) { $thing->broken = true; throw new LogicException("{$thing->number} breaks"); }));
    echo $pool->use(fn (Thing $thing) => $thing->number), "\n";
    attempt('no harm', fn () => $pool->use(function (Thing $thing) { throw new LogicException("{$thing->number} is well"); }));
    echo $pool->use(fn (Thing $thing) => $thing->number), "\n";
    echo "found by the reset: ", $pool->use(function (Thing $thing) { $thing->broken = true; return $thing->number; }), ' ', $pool->use(fn (Thing $thing) => $thing->number), "\n";
    show($pool);
    echo "when one is broken the others are looked at: ";
    $pool = pool(max: 3, checkAfter: 1000);
    $leases = [$pool->borrow(), $pool->borrow(), $pool->borrow()];
    $things = array_map(fn ($lease) => $lease->item, $leases);
    array_map(fn ($lease) => $lease->giveBack(), $leases);
    unset($leases);
    array_map(fn ($thing) => $thing->broken = true, $things);
    attempt('break', fn () => $pool->use(fn () => throw new LogicException('lost')));
    echo implode(' ', map([1, 2, 3], fn () => work($pool, 0.01))), "\n";
    show($pool);

    echo "-- ages\n";
    $pool = pool(max: 2, checkAfter: 0);
    echo work($pool, 0), work($pool, 0), ' ', Thing::$checks, " check\n";
    $pool = pool(max: 2, lifeTime: 0.02);
    echo work($pool, 0), work($pool, 0);
    sleep(0.03);
    echo work($pool, 0), "\n";
    $pool = pool(max: 3, min: 1, idleTime: 0.01);
    map([1, 2, 3], fn () => work($pool, 0.01));
    sleep(0.03);
    work($pool, 0);
    show($pool);

    echo "-- closing\n";
    $pool = pool(max: 1);
    $lease = $pool->borrow();
    $waits = spawn(fn () => work($pool, 0));
    sleep(0.01);
    $pool->close();
    attempt('waits', fn () => $waits->await());
    $lease->giveBack();
    echo Thing::$live, "\n";
});

echo "-- outside coroutines\n";
$pool = pool(max: 1);
echo work($pool, 0), work($pool, 0), "\n";
$pool->use(fn () => attempt('none free', fn () => work($pool, 0)));

echo "-- arguments\n";
attempt('max', fn () => pool(max: 0));
attempt('min', fn () => pool(max: 2, min: 3));
attempt('waitLimit', fn () => pool(waitLimit: -1));
attempt('idleTime', fn () => pool(idleTime: 0));
attempt('lifeTime', fn () => pool(lifeTime: NAN));
attempt('checkAfter', fn () => pool(checkAfter: 2e9));
attempt('name', fn () => pool(name: ''));
attempt('name', fn () => pool(name: str_repeat('n', 64)));
echo pool(name: 'things')->name, "\n";
attempt('clone', fn () => clone pool());
?>
--EXPECT--
-- many borrowers, few things
100 served by 3, at most 3
{"size":3,"idle":3,"inUse":0,"waiting":0,"created":3,"closed":0,"timeouts":0}
0 left
Sluice\PoolException: The pool is closed and lends nothing any more
-- first come, first served
1 2 3 4 1 2 3 4
-- waiting ends
Sluice\PoolException: Everything in the pool (max: 1) was in use for 0.02 s (waitLimit), and 0 more wait: use each for a shorter time, or raise max or waitLimit
{"size":1,"idle":0,"inUse":1,"waiting":0,"created":1,"closed":0,"timeouts":1}
1
-- a lease that is forgotten
{"size":1,"idle":1,"inUse":0,"waiting":0,"created":1,"closed":0,"timeouts":1}
{"size":0,"idle":0,"inUse":0,"waiting":0,"created":1,"closed":1,"timeouts":1}
-- cancelled: while it waits, while it has one, while one is made
{"size":1,"idle":0,"inUse":1,"waiting":1,"created":1,"closed":0,"timeouts":0}
1
Sluice\Coroutine\TimeoutException: The function has not ended within 0.01 s
{"size":0,"idle":0,"inUse":0,"waiting":0,"created":1,"closed":1,"timeouts":0}
Sluice\Coroutine\TimeoutException: The function has not ended within 0.002 s
{"size":0,"idle":0,"inUse":0,"waiting":0,"created":1,"closed":1,"timeouts":0}
cancelled served
{"size":1,"idle":1,"inUse":0,"waiting":0,"created":2,"closed":1,"timeouts":0}
-- making one fails, and others may try
no server, no server, it
{"size":1,"idle":1,"inUse":0,"waiting":0,"created":1,"closed":0,"timeouts":0}
-- broken ones are replaced
LogicException: 1 breaks
2
LogicException: 2 is well
2
found by the reset: 2 3
{"size":1,"idle":1,"inUse":0,"waiting":0,"created":3,"closed":2,"timeouts":0}
when one is broken the others are looked at: LogicException: lost
4 5 6
{"size":3,"idle":3,"inUse":0,"waiting":0,"created":6,"closed":3,"timeouts":0}
-- ages
11 1 check
112
{"size":1,"idle":1,"inUse":0,"waiting":0,"created":3,"closed":2,"timeouts":0}
-- closing
Sluice\PoolException: The pool is closed and lends nothing any more
0
-- outside coroutines
11
Sluice\PoolException: Everything in the pool (max: 1) is in use, and only a coroutine can wait for one: call this under Sluice\Coroutine\run() or in a worker, or give the pool more with max
-- arguments
ValueError: Sluice\Pool: $max must be between 1 and 100000, 0 given
ValueError: Sluice\Pool: $min must be between 0 and $max (2), 3 given
ValueError: Sluice\Pool: $waitLimit must be between 0 and 86400, -1 given
ValueError: Sluice\Pool: $idleTime must be between 0.001 and 1000000000, 0 given
ValueError: Sluice\Pool: $lifeTime must be between 0.001 and 1000000000, NAN given
ValueError: Sluice\Pool: $checkAfter must be between 0 and 1000000000, 2000000000 given
ValueError: Sluice\Pool: $name must have 1 to 63 bytes of UTF-8, "" given
ValueError: Sluice\Pool: $name must have 1 to 63 bytes of UTF-8, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" given
things
Error: Call to private Sluice\Pool::__clone() from global scope
