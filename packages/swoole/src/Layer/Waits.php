<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;

/** Which coroutines wait so that they can be cancelled, and which were. */
final class Waits
{
    /** @var array<int, true> */
    public static array $cancellable = [];
    /** @var array<int, true> until the coroutine waits again */
    public static array $cancelled = [];

    public static function cancel(int $id): bool
    {
        if (!isset(self::$cancellable[$id])) {
            return false;
        }
        self::$cancelled[$id] = true;
        return Coroutine\resume($id);
    }

    public static function isCancelled(int $id): bool
    {
        return isset(self::$cancelled[$id]);
    }
}
