--TEST--
Mutex, Semaphore and WaitGroup: in turn, fair, and no permit is lost with a cancelled coroutine
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{Mutex, Semaphore, WaitGroup};
use function Sluice\Coroutine\{map, run, sleep, spawn};

require __DIR__ . '/attempt_all.inc';

run(function () {
    echo "-- mutex\n";
    $mutex = new Mutex;
    $order = [];
    $tasks = array_map(function ($name) use ($mutex, &$order) { return spawn(function () use ($mutex, $name, &$order) {
        $mutex->lock();
        $order[] = $name;
        sleep(0.001);
        $order[] = $name;
        $mutex->unlock();
    }); }, range('a', 'e'));
    array_map(fn ($task) => $task->await(), $tasks);
    echo implode($order), "\n";
    var_dump($mutex->isLocked(), $mutex->tryLock(), $mutex->tryLock());
    attempt(fn () => $mutex->lock());
    spawn(function () use ($mutex) {
        attempt(fn () => $mutex->unlock());
        attempt(fn () => $mutex->lock(0.002));
        attempt(fn () => $mutex->use(fn () => print("never\n"), 0.002));
    })->await();
    $mutex->unlock();
    attempt(fn () => $mutex->unlock());
    var_dump($mutex->use(fn () => sleep(0.001) ?? 'used'));
    attempt(fn () => $mutex->use(fn () => throw new DomainException('thrown within')));
    var_dump($mutex->isLocked());

    echo "-- the lock passes a cancelled one by, at whatever moment\n";
    $mutex->lock();
    $first = spawn(fn () => $mutex->use(fn () => print("never\n")));
    $second = spawn(fn () => $mutex->use(fn () => 'second'));
    sleep(0);
    $mutex->unlock();
    // The mutex belongs to the first coroutine already.
    $first->cancel();
    var_dump($second->await());
    attempt(fn () => $first->await());
    var_dump($mutex->isLocked());

    echo "-- a Fiber within the coroutine is that coroutine\n";
    $mutex->lock();
    (new Fiber(fn () => attempt(fn () => $mutex->lock())))->start();
    (new Fiber(fn () => $mutex->unlock()))->start();
    var_dump($mutex->isLocked());

    echo "-- semaphore\n";
    $semaphore = new Semaphore(3);
    $most = $now = 0;
    map(range(1, 20), function ($i) use ($semaphore, &$most, &$now) {
        $semaphore->use(function () use (&$most, &$now) {
            $most = max($most, ++$now);
            sleep(0.001);
            --$now;
        });
    });
    echo "$most at once, {$semaphore->free()} free\n";
    attempt(fn () => $semaphore->release());
    attempt(fn () => new Semaphore(0));
    attempt(fn () => $semaphore->use(fn () => throw new DomainException('thrown within')));
    $semaphore->acquire();
    $semaphore->acquire();
    var_dump($semaphore->tryAcquire(), $semaphore->tryAcquire());
    attempt(fn () => $semaphore->acquire(0.002));
    $first = spawn(fn () => $semaphore->acquire());
    $second = spawn(fn () => $semaphore->acquire() ?? 'second');
    sleep(0);
    $semaphore->release();
    $first->cancel();
    var_dump($second->await(), $semaphore->free());
    $waiting = spawn(fn () => $semaphore->acquire());
    sleep(0);
    $waiting->cancel();
    sleep(0);
    $semaphore->release();
    var_dump($semaphore->free());

    echo "-- wait group\n";
    $group = new WaitGroup;
    $group->wait();
    for ($i = 1; $i <= 3; ++$i) {
        $group->add();
        spawn(function () use ($group, $i) { sleep(0.002 * $i); echo "$i "; $group->done(); });
    }
    $waiters = [spawn(fn () => $group->wait()), spawn(fn () => $group->wait())];
    attempt(fn () => $group->wait(0));
    $group->wait();
    array_map(fn ($task) => $task->await(), $waiters);
    var_dump(count($group));
    attempt(fn () => $group->done());
    attempt(fn () => $group->add(0));

    echo "-- ten thousand in one queue\n";
    $mutex->lock();
    $count = 0;
    $tasks = [];
    for ($i = 0; $i < 10_000; ++$i) {
        $tasks[] = spawn(function () use ($mutex, &$count) { $mutex->use(function () use (&$count) { ++$count; }); });
    }
    sleep(0);
    $mutex->unlock();
    foreach ($tasks as $task) {
        $task->await();
    }
    var_dump($count);
});
?>
--EXPECT--
-- mutex
aabbccddee
bool(false)
bool(true)
bool(false)
LogicException: This coroutine has locked the mutex already, and would wait for itself
LogicException: Another coroutine has locked the mutex; only that coroutine may unlock it
Sluice\Coroutine\TimeoutException: The mutex has not become free within 0.002 s
Sluice\Coroutine\TimeoutException: The mutex has not become free within 0.002 s
LogicException: The mutex is not locked
string(4) "used"
DomainException: thrown within
bool(false)
-- the lock passes a cancelled one by, at whatever moment
string(6) "second"
Sluice\Coroutine\CancelledError: The task was cancelled
bool(false)
-- a Fiber within the coroutine is that coroutine
LogicException: This coroutine has locked the mutex already, and would wait for itself
bool(false)
-- semaphore
3 at once, 3 free
LogicException: All 3 permits are free already: release() once for each acquire()
ValueError: Sluice\Coroutine\Semaphore::__construct(): Argument #1 ($permits) must be between 1 and 1000000 permits, 0 given
DomainException: thrown within
bool(true)
bool(false)
Sluice\Coroutine\TimeoutException: No permit has become free within 0.002 s
string(6) "second"
int(0)
int(1)
-- wait group
Sluice\Coroutine\TimeoutException: Not everything was done within 0 s
1 2 3 int(0)
LogicException: done() was called more often than add() has counted
ValueError: Sluice\Coroutine\WaitGroup::add(): Argument #1 ($count) must be at least 1, and the sum at most 1000000000, 0 given
-- ten thousand in one queue
int(10000)
