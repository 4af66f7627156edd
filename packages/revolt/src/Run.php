<?php

declare(strict_types=1);

namespace Sluice\Revolt;

use Sluice\Internal\Waiter;

/**
 * A call of `EventLoop::run()` in a coroutine, which waits until the loop has ended.
 *
 * @internal
 */
final class Run
{
    private readonly Waiter $waiter;
    private bool $isOver = false;
    private ?\Throwable $error = null;

    public function __construct()
    {
        $this->waiter = new Waiter();
    }

    public function wait(): void
    {
        while (!$this->isOver) {
            $this->waiter->wait(1e9);
        }
        if ($this->error !== null) {
            throw $this->error;
        }
    }

    public function isOver(): bool
    {
        return $this->isOver;
    }

    public function end(?\Throwable $error = null): void
    {
        $this->isOver = true;
        $this->error ??= $error;
        $this->waiter->wake();
    }
}
