<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\SharedNumber;

class Atomic
{
    private readonly SharedNumber $number;

    public function __construct(int $value = 0)
    {
        $this->number = new SharedNumber($value, 0xffffffff);
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

    /** Waits until it is 1, and sets it to 0. */
    public function wait(float $timeout = 1.0): bool
    {
        $deadline = $timeout < 0 ? \INF : \microtime(true) + $timeout;
        for ($pause = 50; !$this->number->compareAndSet(1, 0); $pause = \min($pause * 2, 2000)) {
            if (\microtime(true) >= $deadline) {
                return false;
            }
            \usleep($pause);
        }
        return true;
    }

    public function wakeup(int $count = 1): bool
    {
        $this->number->compareAndSet(0, 1);
        return true;
    }
}
