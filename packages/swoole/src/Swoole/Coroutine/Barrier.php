<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Coroutine as Engine;
use Sluice\Swoole\Wait;
use Swoole\Exception;

class Barrier
{
    private int $waiter = 0;
    private static int $next = 0;

    private function __construct()
    {
        ++self::$next;
    }

    public static function make(): self
    {
        return new self();
    }

    /** Waits until nobody else holds the barrier. */
    public static function wait(?self &$barrier, float $timeout = -1): void
    {
        if ($barrier === null || $barrier->waiter !== 0) {
            throw new Exception('The barrier is waiting, can not wait again.');
        }
        $barrier->waiter = $id = Engine\id();
        $weak = \WeakReference::create($barrier);
        $barrier = null;
        // The last holder's release may have destroyed it already.
        if (self::lives($weak)) {
            Wait::for($timeout);
            self::leave($weak);
        }
    }

    /** @param \WeakReference<self> $weak */
    private static function lives(\WeakReference $weak): bool
    {
        return $weak->get() !== null;
    }

    /** @param \WeakReference<self> $weak */
    private static function leave(\WeakReference $weak): void
    {
        $barrier = $weak->get();
        if ($barrier !== null) {
            $barrier->waiter = 0;
        }
    }

    public function __destruct()
    {
        if ($this->waiter !== 0 && $this->waiter !== Engine\id()) {
            Wait::wake($this->waiter);
        }
    }
}
