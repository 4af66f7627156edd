<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;

/** Which coroutines wait so that they can be cancelled, and which were. */
final class Waits
{
    /** @var array<int, true> */
    public static array $cancellable = [];
    /** @var array<int, \Closure(): bool> what ends the waits for descriptors, by coroutine */
    public static array $endings = [];
    /** @var array<int, bool> until the coroutine waits again; true: by an exception */
    public static array $cancelled = [];

    public static function cancel(int $id, bool $throws = false): bool
    {
        if (isset(self::$endings[$id])) {
            self::$cancelled[$id] = $throws;
            return (self::$endings[$id])();
        }
        if (!isset(self::$cancellable[$id])) {
            return false;
        }
        self::$cancelled[$id] = $throws;
        // One whose time is over, and that has not gone on yet, is cancelled, too.
        Coroutine\resume($id);
        return true;
    }

    public static function isCancelled(int $id): bool
    {
        return isset(self::$cancelled[$id]);
    }
}
