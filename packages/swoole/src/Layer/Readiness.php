<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Sluice\Internal\Waiter;

/** The waits for a descriptor: one to read and one to write, which close() and cancel() end. */
final class Readiness
{
    /** @var array<int, Waiter> by 0 to read, and 1 to write */
    private array $waiters = [];
    /** @var array<int, int> the coroutines that wait; 0: none */
    private array $who = [0, 0];
    /** @var array<int, int> how many waits were ended */
    private array $ends = [0, 0];

    /**
     * @param resource $stream
     * @return bool|null null: the wait was ended; false: the time is over
     */
    public function wait(mixed $stream, bool $write, float $seconds): ?bool
    {
        $way = (int) $write;
        $id = Coroutine\id();
        if ($id === 0 || $this->who[$way] !== 0) {
            return Waiter::forStream($stream, $write, $seconds);
        }
        $this->who[$way] = $id;
        $before = $this->ends[$way];
        Waits::$endings[$id] = fn(): bool => $this->end($write);
        $waiter = $this->waiters[$way] ??= new Waiter();
        try {
            [$readable, $writable] = $waiter->waitForStreams($write ? [] : [$stream], $write ? [$stream] : [], $seconds);
        } finally {
            $this->leave($way, $id);
        }
        return $this->ends[$way] !== $before ? null : $readable !== [] || $writable !== [];
    }

    private function leave(int $way, int $id): void
    {
        $this->who[$way] = 0;
        unset(Waits::$endings[$id]);
    }

    /** The coroutine that waits; 0: none does. */
    public function who(bool $write): int
    {
        return $this->who[(int) $write];
    }

    /** Ends a wait, if there is one: it returns null. */
    public function end(bool $write): bool
    {
        $way = (int) $write;
        if ($this->who[$way] === 0) {
            return false;
        }
        ++$this->ends[$way];
        $this->waiters[$way]->wake();
        return true;
    }

    /** Ends both waits. Whether there was one. */
    public function endAll(): bool
    {
        $wrote = $this->end(true);
        return $this->end(false) || $wrote;
    }
}
