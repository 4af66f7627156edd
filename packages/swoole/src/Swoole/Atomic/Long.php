<?php

declare(strict_types=1);

namespace Swoole\Atomic;

use Sluice\Swoole\SharedNumber;

class Long
{
    private readonly SharedNumber $number;

    public function __construct(int $value = 0)
    {
        $this->number = new SharedNumber($value, null);
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
}
