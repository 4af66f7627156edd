<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\SharedWord;

class Atomic
{
    private readonly SharedWord $number;

    public function __construct(int $value = 0)
    {
        $this->number = new SharedWord($value);
    }

    public function add(int $add_value = 1): int
    {
        return $this->number->add($add_value);
    }

    public function sub(int $sub_value = 1): int
    {
        return $this->number->add(-$sub_value);
    }

    public function get(): int
    {
        return $this->number->get();
    }

    public function set(int $value): void
    {
        $this->number->set($value);
    }

    public function cmpset(int $cmp_value, int $new_value): bool
    {
        return $this->number->compareAndSet($cmp_value, $new_value);
    }

    /** Takes 1, and sets it to 0; or waits until wakeup(). */
    public function wait(float $timeout = 1.0): bool
    {
        return $this->number->wait($timeout < 0 ? \INF : $timeout);
    }

    /** Wakes so many of those who wait. When nobody does, the next wait() returns at once. */
    public function wakeup(int $count = 1): bool
    {
        $this->number->wake($count);
        return true;
    }
}
