<?php

declare(strict_types=1);

// Where exit() may stand: a closure for each place, which does not come back. Used by a server and by plain scripts.

namespace Sluice\EndToEnd;

use Sluice\Coroutine;
use Sluice\Coroutine\{ContextValue, TaskGroup};

function exit_places(): array
{
    $leaves = static function (): never { exit(7); };
    $later = static function () use ($leaves): never { usleep(2000); $leaves(); };
    return [
        'handler' => $leaves,
        'after a wait' => $later,
        'spawned' => function () use ($leaves) { Coroutine\spawn($leaves); usleep(60_000_000); },
        'spawned, after a wait' => function () use ($later) { Coroutine\spawn($later); usleep(60_000_000); },
        'awaited' => fn () => Coroutine\spawn($later)->await(),
        'all' => fn () => Coroutine\all(fn () => usleep(60_000_000), $later),
        'map' => fn () => Coroutine\map([1, 2], $later),
        'timeout' => fn () => Coroutine\timeout(60, $later),
        'group' => fn () => TaskGroup::run(fn ($group) => $group->spawn($later) && usleep(60_000_000)),
        'shield' => fn () => Coroutine\shield($later),
        'context' => fn () => (new ContextValue)->with(1, $later),
        'fiber' => fn () => (new \Fiber($leaves))->start(),
        'fiber, after a wait' => fn () => (new \Fiber($later))->start(),
        'fiber in a fiber' => fn () => (new \Fiber(fn () => (new \Fiber($later))->start()))->start(),
        'fiber, resumed' => function () use ($later) {
            $fiber = new \Fiber(fn () => \Fiber::suspend() || $later());
            $fiber->start();
            usleep(1000);
            $fiber->resume();
        },
        'generator' => function () use ($later) { foreach ((fn () => yield $later())() as $_) {} },
        'destructor' => function () use ($later) {
            $object = new class ($later) {
                public function __construct(private \Closure $end) {}
                public function __destruct() { ($this->end)(); }
            };
            unset($object);
        },
        'destructor, collected' => function () use ($leaves) {
            $object = new class ($leaves) {
                public ?self $itself = null;
                public function __construct(private \Closure $end) {}
                public function __destruct() { ($this->end)(); }
            };
            $object->itself = $object;
            unset($object);
            gc_collect_cycles();
        },
        'finally' => function () use ($later) { try { throw new \Exception('on its way'); } finally { $later(); } },
        'cancelled' => function () use ($leaves) {
            $task = Coroutine\spawn(function () use ($leaves) { try { usleep(60_000_000); } finally { $leaves(); } });
            usleep(1000);
            $task->cancel();
            usleep(60_000_000);
        },
        'defer' => fn () => Coroutine\defer($leaves),
        'defer, after a wait' => fn () => Coroutine\defer($later),
        'callback of C' => fn () => array_map($later, [1]),
        'output buffer' => function () use ($later) { ob_start(); echo 'buffered'; $later(); },
    ];
}
