<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Shared\Table;

/** How many requests all workers of a server handle at a time. What a worker had when it was killed no longer counts once another has its number. */
final class Concurrency
{
    private readonly Table $numbers;
    private bool $begun = false;

    public function __construct(private readonly int $most)
    {
        $this->numbers = new Table('swoole.concurrency', 1 << 20);
    }

    public function enter(): bool
    {
        if (!$this->begun) {
            $this->begun = true;
            $this->numbers->remove($this->key());
        }
        $this->numbers->increment($this->key());
        if ($this->sum() <= $this->most) {
            return true;
        }
        $this->leave();
        return false;
    }

    public function leave(): void
    {
        $this->numbers->increment($this->key(), -1);
    }

    public function sum(): int
    {
        $sum = 0;
        foreach ($this->numbers->listKeys() as $key) {
            $number = $this->numbers->get($key);
            $sum += \is_int($number) ? $number : 0;
        }
        return $sum;
    }

    private function key(): string
    {
        return 'w' . Running::worker();
    }
}
