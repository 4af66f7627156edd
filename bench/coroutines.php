<?php

declare(strict_types=1);

// What coroutines cost: php coroutines.php switch|switch-isolated|fiber-switch|spawn|fiber|asleep <count>
// Prints one line of JSON.

use Sluice\Coroutine;

const AT_ONCE = 100;
const SLEEP_S = 2.0;

/** What a request of a framework keeps in statics. */
final class Isolated
{
    public static ?object $a = null;
    public static array $b = ['boot'];
    public static string $c = 'boot';
    public static int $d = 0;
    public static bool $e = false;
    public static ?object $f = null;
    public static array $g = [];
    public static string $h = '';
    public static float $i = 0.0;
    public static mixed $j = null;
}

function resident(): int
{
    preg_match('/^VmRSS:\s+(\d+) kB/m', file_get_contents('/proc/self/status'), $found);
    return (int) $found[1] * 1024;
}

function cpu_seconds(): float
{
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'] + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
}

/** CPU time for each of $count. */
function each(int $count, callable $all): array
{
    $before = cpu_seconds();
    $all();
    return ['ns' => (cpu_seconds() - $before) / $count * 1e9];
}

/** As many coroutines take turns as in a busy worker, so that the cost of a turn of the loop is divided as in a worker. */
function switches(int $count): array
{
    $turns = intdiv($count, AT_ONCE);
    $tasks = [];
    for ($i = 0; $i < AT_ONCE; $i++) {
        $tasks[] = Coroutine\spawn(fn() => Coroutine\asRequest(function () use ($turns, $i): void {
            Isolated::$a = new stdClass();
            Isolated::$b[] = $i;
            Isolated::$c .= $i;
            for ($turn = 0; $turn < $turns; $turn++) {
                Coroutine\sleep(0);
            }
        }));
    }
    return each($turns * AT_ONCE, fn() => array_map(fn($task) => $task->await(), $tasks));
}

$count = (int) $argv[2];
if ($argv[1] === 'switch-isolated') {
    Coroutine\isolate(Isolated::class);
}
echo json_encode(match ($argv[1]) {
    'switch', 'switch-isolated' => Coroutine\run(fn() => switches($count)),
    'fiber-switch' => (function () use ($count): array {
        $turns = intdiv($count, AT_ONCE);
        $fibers = [];
        for ($i = 0; $i < AT_ONCE; $i++) {
            $fibers[$i] = new Fiber(function (): void {
                while (true) {
                    Fiber::suspend();
                }
            });
            $fibers[$i]->start();
        }
        return each($turns * AT_ONCE, function () use ($turns, $fibers): void {
            for ($turn = 0; $turn < $turns; $turn++) {
                foreach ($fibers as $fiber) {
                    $fiber->resume();
                }
            }
        });
    })(),
    'spawn' => Coroutine\run(function () use ($count): array {
        $empty = function (): void {};
        return each($count, function () use ($count, $empty): void {
            for ($i = 0; $i < $count; $i += AT_ONCE) {
                for ($j = 0; $j < AT_ONCE; $j++) {
                    Coroutine\spawn($empty);
                }
                Coroutine\sleep(0);
            }
        });
    }),
    'fiber' => each($count, function () use ($count): void {
        $empty = function (): void {};
        for ($i = 0; $i < $count; $i++) {
            (new Fiber($empty))->start();
        }
    }),
    'asleep' => Coroutine\run(function () use ($count): array {
        $late = array_fill(0, $count, 0.0);
        gc_collect_cycles();
        $before = resident();
        $tasks = [];
        for ($i = 0; $i < $count; $i++) {
            $tasks[] = Coroutine\spawn(function () use ($i, &$late): void {
                $due = hrtime(true) / 1e9 + SLEEP_S;
                Coroutine\sleep(SLEEP_S);
                $late[$i] = hrtime(true) / 1e9 - $due;
            });
        }
        Coroutine\sleep(SLEEP_S / 2);
        $asleep = resident();
        foreach ($tasks as $task) {
            $task->await();
        }
        unset($tasks, $task);
        Coroutine\sleep(0.05);
        sort($late);
        return [
            'bytes' => ($asleep - $before) / $count,
            'kept' => max(0, resident() - $before) / $count,
            'late_ms' => $late[intdiv($count, 2)] * 1000,
            'latest_ms' => end($late) * 1000,
        ];
    }),
}), "\n";
