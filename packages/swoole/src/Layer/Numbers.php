<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;

/** The numbers by which a program knows its coroutines: one after the other, without the coroutines of the layer and of the engine. */
final class Numbers
{
    /** @var array<int, int> by the engine's numbers */
    private static array $numbers = [];
    /** @var array<int, int> the engine's numbers */
    private static array $ids = [];
    private static int $last = 0;

    /** Of a coroutine by the engine's number; -1 outside of coroutines, and for those that programs do not see. */
    public static function of(int $id): int
    {
        if (isset(self::$numbers[$id])) {
            return self::$numbers[$id];
        }
        if ($id === 0 || isset(Coroutines::$hidden[$id])) {
            return -1;
        }
        if (!isset(Coroutines::$begun[$id]) && $id === Coroutine\id()) {
            // A handler's coroutine, which the engine has begun.
            Coroutine\defer(static fn() => self::end($id));
        }
        self::$ids[++self::$last] = $id;
        return self::$numbers[$id] = self::$last;
    }

    /** The engine's number of a coroutine; 0: there is none. */
    public static function id(int $number): int
    {
        return self::$ids[$number] ?? 0;
    }

    public static function last(): int
    {
        return self::$last;
    }

    public static function end(int $id): void
    {
        if (isset(self::$numbers[$id])) {
            unset(self::$ids[self::$numbers[$id]], self::$numbers[$id]);
        }
    }

    /** In a process that was forked: the parent's coroutines are not this process's. */
    public static function forget(): void
    {
        self::$numbers = self::$ids = [];
    }
}
