--TEST--
Coroutines that compute give others a turn, where they are asked to
--EXTENSIONS--
sluice
--FILE--
<?php

use Sluice\Coroutine;
use Sluice\Coroutine\TimeoutException;
use function Sluice\Coroutine\{preempt, run, shield, sleep, start, timeout, wait};

/** Computes for this time of the processor. */
function compute(float $seconds): void
{
    $used = function (): float {
        $usage = getrusage();
        return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'] + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
    };
    for ($end = $used() + $seconds; $used() < $end;) {
    }
}

/** Which goes on first: a coroutine that computes, or one that begins after it. */
function order(callable $computes): string
{
    $order = [];
    start(function () use ($computes, &$order) {
        $computes();
        $order[] = 'first';
    });
    start(function () use (&$order) {
        $order[] = 'second';
    });
    wait();
    return implode(' ', $order);
}

function forever(): Generator
{
    for ($i = 0;; ++$i) {
        yield $i;
    }
}

echo 'without: ', order(fn() => compute(0.1)), "\n";

preempt(0.004);
$loops = [
    'while' => function (bool &$on) { while ($on) {} },
    'for' => function (bool &$on) { for (;;) { if (!$on) break; } },
    'goto' => function (bool &$on) { again: if ($on) goto again; },
    'calls' => function (bool &$on) { $f = function () use (&$on) { return $on; }; while ($f()) {} },
    'generator' => function (bool &$on) { foreach (forever() as $i) { if (!$on) break; } },
    'callback of C' => function (bool &$on) { array_map(function () use (&$on) { while ($on) {} }, [1, 2, 3]); },
    'comparison' => function (bool &$on) {
        $numbers = [3, 1, 2];
        usort($numbers, function (int $a, int $b) use (&$on) { while ($on) {} return $a <=> $b; });
        if ($numbers !== [1, 2, 3]) echo "sorted wrongly\n";
    },
    'fiber of its own' => function (bool &$on) { (new Fiber(function () use (&$on) { while ($on) {} }))->start(); },
    'finally' => function (bool &$on) { try { throw new Exception(); } catch (Exception) { while ($on) {} } finally { $on = false; } },
];
foreach ($loops as $name => $loop) {
    $on = true;
    start(function () use ($loop, &$on) { $loop($on); });
    start(function () use (&$on) { $on = false; });
    wait();
    echo "$name ended\n";
}

echo 'shield: ', order(fn() => shield(fn() => compute(0.1))), "\n";

$folder = sys_get_temp_dir() . '/sluice-whole-' . getmypid();
mkdir($folder);
file_put_contents("$folder/whole.php", '<?php return function (callable $used) { for ($end = $used() + 0.1; $used() < $end;) {} };');
$used = fn(): float => getrusage()['ru_utime.tv_sec'] + getrusage()['ru_utime.tv_usec'] / 1e6;
$whole = (require "$folder/whole.php");
preempt(0.004, "$folder/", __FILE__);
echo 'whole: ', order(fn() => $whole($used)), "\n";
unlink("$folder/whole.php");
rmdir($folder);

preempt(0.004);
run(function () {
    try {
        timeout(0.02, function () {
            try {
                for (;;) {
                }
            } finally {
                echo 'finally, ';
            }
        });
    } catch (TimeoutException $e) {
        echo get_class($e), "\n";
    }
    // The library's own code counts on running from one wait to the next.
    $pool = new Sluice\Pool(fn() => new ArrayObject(), max: 2);
    $inside = new ArrayObject();
    Coroutine\all(...array_fill(0, 8, fn() => $pool->use(function (ArrayObject $item) use ($inside) {
        for ($inside[] = $item; count($inside) < 2;) {
        }
        compute(0.01);
    })));
    echo $pool->stats()->size, " in the pool\n";
});

preempt(null);
echo 'off again: ', order(fn() => compute(0.1)), "\n";

foreach ([0, 0.001, 61, NAN] as $seconds) {
    try {
        preempt($seconds);
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
try {
    preempt(1, 'a', []);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
without: first second
while ended
for ended
goto ended
calls ended
generator ended
callback of C ended
comparison ended
fiber of its own ended
finally ended
shield: first second
whole: first second
finally, Sluice\Coroutine\TimeoutException
2 in the pool
off again: first second
Sluice\Coroutine\preempt(): Argument #1 ($seconds) must be between 0.002 and 60 seconds, or null, 0 given
Sluice\Coroutine\preempt(): Argument #1 ($seconds) must be between 0.002 and 60 seconds, or null, 0.001 given
Sluice\Coroutine\preempt(): Argument #1 ($seconds) must be between 0.002 and 60 seconds, or null, 61 given
Sluice\Coroutine\preempt(): Argument #1 ($seconds) must be between 0.002 and 60 seconds, or null, NAN given
Sluice\Coroutine\preempt(): Argument #3 must be of type string, array given
