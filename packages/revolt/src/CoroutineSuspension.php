<?php

declare(strict_types=1);

namespace Sluice\Revolt;

use Revolt\EventLoop\Suspension;
use Sluice\Internal\Waiter;

/**
 * Revolt's suspension of a coroutine of Sluice's. When the coroutine is cancelled, suspend() throws CancelledError.
 *
 * @internal
 * @implements Suspension<mixed>
 */
final class CoroutineSuspension implements Suspension
{
    private readonly Waiter $waiter;
    /** The number of the coroutine's Fiber. A reference would keep the Fiber from being used for the next coroutine. */
    private readonly int $fiber;
    private bool $isPending = false;
    private mixed $value = null;
    private ?\Throwable $error = null;

    public function __construct()
    {
        $this->waiter = new Waiter();
        $this->fiber = self::fiber();
    }

    public function suspend(): mixed
    {
        if ($this->isPending) {
            throw new \Error('Must call resume() or throw() before calling suspend() again');
        }
        if ($this->fiber !== self::fiber()) {
            throw new \Error('Must not call suspend() from another fiber');
        }
        $this->isPending = true;
        try {
            do {
                $this->waiter->wait(1e9);
            } while ($this->isSuspended());
        } finally {
            $this->isPending = false;
        }
        [$value, $error] = [$this->value, $this->error];
        $this->value = $this->error = null;
        return $error === null ? $value : throw $error;
    }

    public function resume(mixed $value = null): void
    {
        $this->goOn('resume');
        $this->value = $value;
    }

    public function throw(\Throwable $throwable): void
    {
        $this->goOn('throw');
        $this->error = $throwable;
    }

    private function goOn(string $call): void
    {
        if (!$this->isPending) {
            throw new \Error("Must call suspend() before calling $call()");
        }
        $this->isPending = false;
        $this->waiter->wake();
    }

    /** @phpstan-impure other coroutines resume it meanwhile */
    private function isSuspended(): bool // @phpstan-ignore impureMethod.pure
    {
        return $this->isPending;
    }

    private static function fiber(): int
    {
        return \spl_object_id(\Fiber::getCurrent() ?? throw new \Error('A CoroutineSuspension can only be used in a coroutine'));
    }
}
