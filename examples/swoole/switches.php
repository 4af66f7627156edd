<?php
// Two coroutines that hand over to each other ten million times, and how long a switch takes.

use Swoole\Coroutine;

$count = (int) ($argv[1] ?? 10_000_000);
Coroutine\run(function () use ($count) {
    $partner = Coroutine::create(function () use ($count) {
        for ($number = 0; $number < $count; $number++) {
            Coroutine::yield();
        }
    });
    $begin = hrtime(true);
    for ($number = 0; $number < $count; $number++) {
        Coroutine::resume($partner);
    }
    $nanoseconds = hrtime(true) - $begin;
    printf("%d switches, %d ns each\n", 2 * $count, intdiv($nanoseconds, 2 * max(1, $count)));
});
