<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Swoole\Coroutine\CanceledException;

/** How a coroutine's wait has ended. The layer's own waits can be cancelled by `Swoole\Coroutine::cancel()`. */
enum Wait
{
    case Woken;
    case TimedOut;
    case Cancelled;

    /** Suspends the running coroutine until wake(), for at most this time; 0 and less: for ever. */
    public static function for(float $timeout = -1.0): self
    {
        $id = Coroutine\id();
        if ($id === 0) {
            throw Errors::exception('API must be called in the coroutine');
        }
        Waits::$cancellable[$id] = true;
        $woken = Coroutine\suspend($timeout > 0 ? $timeout : null);
        unset(Waits::$cancellable[$id]);
        if (isset(Waits::$cancelled[$id])) {
            Errors::set(\SWOOLE_ERROR_CO_CANCELED);
            if (Waits::$cancelled[$id]) {
                throw new CanceledException('The coroutine was cancelled', \SWOOLE_ERROR_CO_CANCELED);
            }
            return self::Cancelled;
        }
        return $woken ? self::Woken : self::TimedOut;
    }

    public static function wake(int $id): bool
    {
        return Coroutine\resume($id);
    }
}
