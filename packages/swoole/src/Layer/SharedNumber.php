<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Shared\Counter;

/** A number of so many bits that processes share. */
final class SharedNumber
{
    private readonly Counter $counter;

    public function __construct(int $value, private readonly ?int $mask)
    {
        $this->counter = new Counter(Names::next('atomic'));
        if ($this->counter->get() === 0 && $value !== 0) {
            $this->counter->compareAndSet(0, $this->cut($value));
        }
    }

    public function get(): int
    {
        return $this->counter->get();
    }

    public function set(int $value): void
    {
        $this->counter->set($this->cut($value));
    }

    public function add(int $by): int
    {
        if ($this->mask === null) {
            return $this->counter->add($by);
        }
        do {
            $before = $this->counter->get();
            $after = $this->cut($before + $by);
        } while (!$this->counter->compareAndSet($before, $after));
        return $after;
    }

    public function compareAndSet(int $expected, int $value): bool
    {
        return $this->counter->compareAndSet($this->cut($expected), $this->cut($value));
    }

    /** @param float|null $seconds null: for ever */
    public function waitWhile(int $value, ?float $seconds): bool
    {
        return $this->counter->waitWhile($value, $seconds);
    }

    public function wake(): void
    {
        $this->counter->wake();
    }

    private function cut(int $value): int
    {
        return $this->mask === null ? $value : $value & $this->mask;
    }
}
