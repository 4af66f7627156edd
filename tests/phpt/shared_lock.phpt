--TEST--
Shared\Lock and Shared\RateLimiter: in one process, and in its forks
--EXTENSIONS--
sluice
pcntl
posix
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Coroutine;
use Sluice\Shared\{Counter, HeldLock, Lock, RateLimiter, Table};

$lock = new Lock('lock', 65536);
echo "-- held\n";
$held = $lock->acquire('a');
var_dump($held->key, $held->isHeld(), $lock->isHeld('a'), $lock->isHeld('b'), $lock->tryAcquire('a'), $lock->tryAcquire('b') instanceof HeldLock);
var_dump($lock->isHeld('b')); // the result of tryAcquire('b') was not kept
attempt('timeout', fn() => $lock->acquire('a', 0.01));
attempt('no time', fn() => $lock->acquire('a', 0));
attempt('wrong', fn() => $lock->acquire('a', -1));
var_dump($held->release(), $held->release(), $lock->isHeld('a'));
var_dump($lock->use(fn() => $lock->isHeld()), $lock->isHeld());
attempt('thrown', fn() => $lock->use(fn() => throw new DomainException('of mine')));
var_dump($lock->isHeld());

echo "-- leases\n";
$held = $lock->acquire('a', leaseSeconds: 0.001);
usleep(3000);
var_dump($held->isHeld(), $held->extend(60));
$other = $lock->acquire('a', 0, 60);
unset($held);
var_dump($other->isHeld(), $other->extend(0.001));
usleep(3000);
var_dump($other->isHeld());

echo "-- coroutines\n";
$inside = $most = 0;
Coroutine\run(function () use ($lock, &$inside, &$most) {
    $work = function () use ($lock, &$inside, &$most) {
        $lock->use(function () use (&$inside, &$most) {
            $most = max($most, ++$inside);
            usleep(100);
            --$inside;
        });
    };
    Coroutine\all(...array_fill(0, 20, $work));
});
var_dump($most);

echo "-- processes\n";
$count = new Counter('count');
$busy = new Counter('busy');
$table = new Table('table', 65536);
$table->set('sum', 0);
for ($i = 0; $i < 4; ++$i) {
    if (pcntl_fork() === 0) {
        for ($round = 0; $round < 50; ++$round) {
            $lock->use(function () use ($busy, $table) {
                if ($busy->add() !== 1) {
                    echo "two are inside\n";
                }
                // The change has two steps: without the lock, changes would be lost.
                $table->set('sum', $table->get('sum') + 1);
                $busy->add(-1);
            });
        }
        exit;
    }
}
while (pcntl_wait($status) > 0);
var_dump($table->get('sum'));

echo "-- deaths\n";
$child = pcntl_fork();
if ($child === 0) {
    $held = $lock->acquire('mine');
    $count->set(1);
    while (true) {
        sleep(1);
    }
}
while ($count->get() === 0) {
    usleep(1000);
}
var_dump($lock->tryAcquire('mine'));
posix_kill($child, SIGKILL);
var_dump($lock->acquire('mine', 60)->isHeld());
pcntl_waitpid($child, $status);
$held = $lock->acquire('parent');
if (pcntl_fork() === 0) {
    exit; // the child has a copy of $held, which frees nothing
}
pcntl_wait($status);
var_dump($held->isHeld());
// A process dies with so many locks that there is no room for another one.
if (pcntl_fork() === 0) {
    $all = [];
    attempt('many', function () use ($lock, &$all) {
        for ($i = 0; ; ++$i) {
            $all[] = $lock->acquire("many$i");
        }
    });
    $count->set(count($all));
    posix_kill(posix_getpid(), SIGKILL);
}
pcntl_wait($status);
var_dump($count->get() > 400, $lock->acquire('one more')->isHeld());

echo "-- rates\n";
$rate = new RateLimiter('rate', 3, 3600, 65536);
foreach ([1, 1, 1, 1] as $tokens) {
    $decision = $rate->take('me', $tokens);
    var_dump($decision->allowed, $decision->remaining, round($decision->retryAfter / 60));
}
var_dump($rate->take('you', 3)->allowed, $rate->take('you')->allowed);
$rate->reset('you');
var_dump($rate->take('you', 2)->remaining, $rate->take('you', 2)->allowed, $rate->take('you')->allowed);
$quick = new RateLimiter('quick', 2, 0.02, 65536);
var_dump($quick->take('me', 2)->allowed);
usleep((int) ($quick->take('me')->retryAfter * 1e6) + 1);
var_dump($quick->take('me')->allowed);
attempt('limit', fn() => new RateLimiter('x', 0, 1));
attempt('seconds', fn() => new RateLimiter('x', 1, 0));
attempt('tokens', fn() => $rate->take('me', 4));
attempt('other limit', fn() => new RateLimiter('rate', 3, 3600, 131072));
?>
--EXPECTF--
-- held
string(1) "a"
bool(true)
bool(true)
bool(false)
NULL
bool(true)
bool(false)
Sluice\Coroutine\TimeoutException: The lock "a" of "lock" has not become free within 0.01 s
Sluice\Coroutine\TimeoutException: The lock "a" of "lock" has not become free within 0 s
ValueError: -1 seconds to wait for a lock: it must be 0 to 1e9
bool(true)
bool(false)
bool(false)
bool(true)
bool(false)
DomainException: of mine
bool(false)
-- leases
bool(false)
bool(false)
bool(true)
bool(true)
bool(false)
-- coroutines
int(1)
-- processes
int(200)
-- deaths
NULL
bool(true)
bool(true)
Sluice\Shared\FullException: The shared table "lock:lock" has no room for "many%d": %d of its %d bytes are in use
bool(true)
bool(true)
-- rates
bool(true)
int(2)
float(0)
bool(true)
int(1)
float(0)
bool(true)
int(0)
float(0)
bool(false)
int(0)
float(20)
bool(true)
bool(false)
int(1)
bool(false)
bool(true)
bool(true)
bool(true)
ValueError: A limit of 0 times: it must be 1 to 1000000000
ValueError: A limit for 0 seconds: it must be for 0.001 to 1e6
ValueError: 4 tokens of "me" at a time: it must be 1 to the limit, 3
ValueError: Sluice\Shared\Table::__construct(): Argument #1 ($name) must be a new name for a table of 131072 bytes that evicts: this script uses "rate:rate" for something else
