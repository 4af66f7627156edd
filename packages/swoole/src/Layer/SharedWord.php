<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Shared\Counter;

/** A number of 32 bits that processes share, and wait for. One counter has it, with how many wait, and how many of those may go on. */
final class SharedWord
{
    private const WAITING = 1 << 32;
    private const WOKEN = 1 << 47;
    private const MOST = 0x7fff;

    private readonly Counter $counter;

    public function __construct(int $value)
    {
        $this->counter = new Counter(Names::next('atomic'));
        if ($value !== 0) {
            $this->counter->compareAndSet(0, $value & 0xffffffff);
        }
    }

    public function get(): int
    {
        return $this->counter->get() & 0xffffffff;
    }

    public function set(int $value): void
    {
        $this->change(static fn(int $before): int => $value);
    }

    public function add(int $by): int
    {
        return $this->change(static fn(int $before): int => $before + $by);
    }

    public function compareAndSet(int $expected, int $value): bool
    {
        do {
            $before = $this->counter->get();
            if (($before & 0xffffffff) !== ($expected & 0xffffffff)) {
                return false;
            }
        } while (!$this->counter->compareAndSet($before, ($before & ~0xffffffff) | ($value & 0xffffffff)));
        return true;
    }

    public function wait(float $timeout): bool
    {
        if ($this->compareAndSet(1, 0)) {
            return true;
        }
        $this->counter->add(self::WAITING);
        $deadline = \microtime(true) + $timeout;
        for (;;) {
            $seen = $this->counter->get();
            $woken = $this->goOn();
            $left = $deadline === \INF ? null : $deadline - \microtime(true);
            if ($woken || ($left !== null && $left <= 0)) {
                break;
            }
            $this->counter->waitWhile($seen, $left === null ? null : \min($left, 1e9));
        }
        $this->counter->add(-self::WAITING);
        return $woken;
    }

    public function wake(int $count): void
    {
        do {
            $before = $this->counter->get();
            $waiting = $before >> 32 & self::MOST;
            $more = \max(0, \min($count, $waiting) - 1);
            $value = ($before & 0xffffffff) === 0 ? 1 : 0;
        } while (!$this->counter->compareAndSet($before, $before + $value + $more * self::WOKEN));
        $this->counter->wake();
    }

    /** Whether who waits may go on: by the number, or because so many were woken. */
    private function goOn(): bool
    {
        do {
            $before = $this->counter->get();
            $after = match (true) {
                ($before & 0xffffffff) === 1 => $before - 1,
                ($before >> 47 & self::MOST) > 0 => $before - self::WOKEN,
                default => null,
            };
            if ($after === null) {
                return false;
            }
        } while (!$this->counter->compareAndSet($before, $after));
        return true;
    }

    /** @param \Closure(int): int $change */
    private function change(\Closure $change): int
    {
        do {
            $before = $this->counter->get();
            $after = $change($before & 0xffffffff) & 0xffffffff;
        } while (!$this->counter->compareAndSet($before, ($before & ~0xffffffff) | $after));
        return $after;
    }
}
