--TEST--
No more coroutines live at a time than may, and stats() counts them
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\Coroutine\{LimitException, TaskGroup};
use function Sluice\Coroutine\{all, any, map, run, sleep, spawn, stats, timeout};

function show(): void { $s = stats(); echo "live $s->live, peak $s->peak, pooled $s->pooled\n"; }
function attempt(callable $what): void
{
    try {
        $what();
        echo "no exception\n";
    } catch (LimitException $e) {
        echo $e->getMessage(), "\n";
    }
}

echo json_encode(stats()), "\n";

run(function () {
    show();
    var_dump(stats()->limit);
    $ended = 0;
    $nap = function () use (&$ended) { try { sleep(60); } finally { ++$ended; } };
    $four = [spawn($nap), spawn($nap), spawn($nap), spawn($nap)];
    show();
    attempt(fn () => spawn($nap));
    attempt(fn () => timeout(1, $nap));
    attempt(fn () => TaskGroup::run($nap));
    array_pop($four)->cancel();
    array_pop($four)->cancel();
    sleep(0);
    echo "-- those that could be spawned go with the one that cannot\n";
    $ended = 0;
    attempt(fn () => all($nap, $nap, $nap));
    attempt(fn () => any(...['a' => $nap, 'b' => $nap, 'c' => $nap]));
    attempt(fn () => map([1, 2, 3], $nap));
    var_dump($ended);
    show();
    attempt(fn () => map(range(1, 100), fn () => sleep(0), 2));
    attempt(fn () => TaskGroup::run(function ($group) use ($nap) { $group->spawn($nap); $group->spawn($nap); }));
    sleep(0);
    foreach ($four as $task) $task->cancel();
    sleep(0);
    show();
}, coroutines: 5, pooledStacks: 3);
echo json_encode(stats()), "\n";

foreach ([[0, 1], [1_000_001, 1], [1, -1], [1, 1_000_001]] as [$coroutines, $pooled]) {
    try {
        run(fn () => 1, $coroutines, $pooled);
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
run(fn () => show(), 1, 0);

echo "-- the kernel's limit\n";
run(function () {
    $most = stats()->limit;
    $mappings = (int) file_get_contents('/proc/sys/vm/max_map_count');
    var_dump($most === 1_000_000 || ($most > 0 && $most < $mappings / 2));
    if ($most === 1_000_000) {
        echo "There are n coroutines, and the kernel's vm.max_map_count of n leaves no room for more stacks: wait for some of them, or raise vm.max_map_count with sysctl\n";
        return;
    }
    try {
        $tasks = [];
        while (true) $tasks[] = spawn(fn () => null);
    } catch (LimitException $e) {
        echo preg_replace('/\d+/', 'n', $e->getMessage()), "\n";
        foreach ($tasks as $task) $task->cancel();
    }
}, coroutines: 1_000_000);
?>
--EXPECT--
{"live":0,"peak":0,"pooled":0,"limit":0}
live 1, peak 1, pooled 0
int(5)
live 5, peak 5, pooled 0
There are 5 coroutines, and $coroutines of Sluice\Coroutine\run() allows no more at a time: wait for some of them, or raise the limit
There are 5 coroutines, and $coroutines of Sluice\Coroutine\run() allows no more at a time: wait for some of them, or raise the limit
There are 5 coroutines, and $coroutines of Sluice\Coroutine\run() allows no more at a time: wait for some of them, or raise the limit
-- those that could be spawned go with the one that cannot
There are 5 coroutines, and $coroutines of Sluice\Coroutine\run() allows no more at a time: wait for some of them, or raise the limit
There are 5 coroutines, and $coroutines of Sluice\Coroutine\run() allows no more at a time: wait for some of them, or raise the limit
There are 5 coroutines, and $coroutines of Sluice\Coroutine\run() allows no more at a time: wait for some of them, or raise the limit
int(0)
live 3, peak 5, pooled 1
no exception
There are 5 coroutines, and $coroutines of Sluice\Coroutine\run() allows no more at a time: wait for some of them, or raise the limit
live 1, peak 5, pooled 3
{"live":0,"peak":0,"pooled":0,"limit":0}
Sluice\Coroutine\run(): Argument #2 ($coroutines) must be between 1 and 1000000, 0 given
Sluice\Coroutine\run(): Argument #2 ($coroutines) must be between 1 and 1000000, 1000001 given
Sluice\Coroutine\run(): Argument #3 ($pooledStacks) must be between 0 and 1000000, -1 given
Sluice\Coroutine\run(): Argument #3 ($pooledStacks) must be between 0 and 1000000, 1000001 given
live 1, peak 1, pooled 0
-- the kernel's limit
bool(true)
There are n coroutines, and the kernel's vm.max_map_count of n leaves no room for more stacks: wait for some of them, or raise vm.max_map_count with sysctl
