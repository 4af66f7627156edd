<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;

/** The loop of a script that is no server: it runs until nothing is left. */
final class Loop
{
    private static bool $running = false;

    public static function isRunning(): bool
    {
        return self::$running;
    }

    public static function run(): void
    {
        if (Coroutine\id() !== 0) {
            return;
        }
        self::$running = true;
        try {
            Coroutine\wait();
        } catch (Coroutine\DeadlockException $deadlock) {
            self::tell($deadlock);
        } finally {
            self::$running = false;
            Coroutines::forget();
        }
    }

    private static function tell(Coroutine\DeadlockException $deadlock): void
    {
        if ((Coroutines::$options['enable_deadlock_check'] ?? true) === false) {
            return;
        }
        $count = \count(Coroutines::$begun);
        echo "===================================================================\n",
            " [FATAL ERROR]: all coroutines (count: $count) are asleep - deadlock!\n",
            "===================================================================\n",
            "{$deadlock->getMessage()}\n";
    }
}
