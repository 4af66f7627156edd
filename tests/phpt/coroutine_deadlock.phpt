--TEST--
A deadlock is reported with what each coroutine waits in, and where
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{Channel, DeadlockException, Mutex, Semaphore, TaskGroup, WaitGroup};
use function Sluice\Coroutine\{all, run, sleep, spawn, timeout};

function report(callable $main): void
{
    try {
        run($main);
    } catch (DeadlockException $e) {
        $lines = explode("\n", str_replace(__DIR__ . '/', '', $e->getMessage()));
        echo array_shift($lines), "\n";
        sort($lines);
        echo implode("\n", $lines), "\n";
    }
}

report(function () {
    $channel = new Channel;
    spawn(fn () => $channel->pop());                                // line 19
    spawn(function () {
        foreach (new Channel as $item) {                            // line 21
        }
    });
    spawn(function () {
        $full = new Channel(1);
        $full->push(1);
        $full->push(2);                                             // line 27
    });
    $mutex = new Mutex;
    spawn(function () use ($mutex) {
        $mutex->lock();
        (new WaitGroup)->wait();
        $group = new WaitGroup;
        $group->add();
        $group->wait();                                             // line 35
    });
    spawn(fn () => $mutex->use(fn () => 1));                        // line 37
    spawn(function () {
        $one = new Semaphore(1);
        $one->acquire();
        $one->acquire();                                            // line 41
    });
    all(fn () => Fiber::suspend());                                 // line 43, twice
});

echo "-- in a Fiber of the application's own, in a function that was called\n";
function waits(): void
{
    (new Channel)->pop();                                           // line 49
}
report(fn () => (new Fiber(fn () => array_map(fn () => waits(), [1])))->start());

echo "-- many\n";
report(function () {
    for ($i = 0; $i < 100; ++$i) {
        spawn(fn () => (new Channel)->pop());                       // line 56
    }
});
?>
--EXPECT--
All coroutines wait for one another, so none of them would ever go on. They wait in
  Fiber::suspend() at coroutine_deadlock.php:43
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:19
  Sluice\Coroutine\Channel::push() at coroutine_deadlock.php:27
  Sluice\Coroutine\Mutex::use() at coroutine_deadlock.php:37
  Sluice\Coroutine\Semaphore::acquire() at coroutine_deadlock.php:41
  Sluice\Coroutine\WaitGroup::wait() at coroutine_deadlock.php:35
  Sluice\Coroutine\all() at coroutine_deadlock.php:43
  foreach at coroutine_deadlock.php:21
-- in a Fiber of the application's own, in a function that was called
All coroutines wait for one another, so none of them would ever go on. They wait in
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:49
-- many
All coroutines wait for one another, so none of them would ever go on. They wait in
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  Sluice\Coroutine\Channel::pop() at coroutine_deadlock.php:56
  and 80 more
