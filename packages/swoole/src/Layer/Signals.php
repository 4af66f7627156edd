<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;

/** The signals that callbacks wait for. With the option `wait_signal` they keep a script's loop going. */
final class Signals
{
    /** @var array<int, true> */
    private static array $all = [];
    /** The coroutine that keeps the loop going; 0: none. */
    private static int $keeper = 0;

    public static function count(): int
    {
        return \count(self::$all);
    }

    public static function add(int $signal): void
    {
        self::$all[$signal] = true;
        if (self::$keeper === 0 && (Coroutines::$options['wait_signal'] ?? false) === true) {
            Coroutine\start(static function (): void {
                self::$keeper = Coroutine\id();
                Coroutines::$hidden[self::$keeper] = true;
                while (self::$all !== []) {
                    Coroutine\suspend(3600.0);
                }
                unset(Coroutines::$hidden[self::$keeper]);
                self::$keeper = 0;
            });
        }
    }

    public static function remove(int $signal): void
    {
        unset(self::$all[$signal]);
        if (self::$all === [] && self::$keeper !== 0) {
            Coroutine\resume(self::$keeper);
        }
    }

    /** In a process that was forked. */
    public static function forget(): void
    {
        self::$all = [];
        self::$keeper = 0;
    }
}
