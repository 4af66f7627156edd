<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Coroutine as Engine;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Wait;

class Lock
{
    public int $errCode = 0;
    private int $owner = 0;
    private int $depth = 0;
    /** @var list<int> */
    private array $waiting = [];

    /** The same lock for all processes. */
    private readonly ?\Swoole\Lock $across;

    /** @param bool $shared between processes that are forked later, and workers */
    public function __construct(bool $shared = false)
    {
        if ((new \ReflectionProperty($this, 'across'))->isInitialized($this)) {
            throw new \Error('Constructor of Swoole\Coroutine\Lock can only be called once');
        }
        $this->across = $shared ? new \Swoole\Lock() : null;
    }

    public function lock(int $operation = \LOCK_EX): bool
    {
        $id = Engine\id();
        if ($id === 0) {
            return Errors::fail($this->errCode = \SWOOLE_ERROR_CO_OUT_OF_COROUTINE);
        }
        if ($this->owner === $id) {
            ++$this->depth;
            return true;
        }
        while ($this->owner !== 0) {
            if ($operation & \LOCK_NB) {
                return Errors::fail($this->errCode = \SOCKET_EAGAIN);
            }
            $this->waiting[] = $id;
            if (Wait::for() === Wait::Cancelled) {
                return false;
            }
        }
        $this->owner = $id;
        $this->depth = 1;
        if ($this->across !== null && !$this->across->lock($operation)) {
            $this->release();
            return Errors::fail($this->errCode = $this->across->errCode);
        }
        return true;
    }

    public function trylock(): bool
    {
        return $this->lock(\LOCK_EX | \LOCK_NB);
    }

    public function unlock(): bool
    {
        if (Engine\id() === 0) {
            return Errors::fail($this->errCode = \SWOOLE_ERROR_CO_OUT_OF_COROUTINE);
        }
        if ($this->owner !== Engine\id()) {
            return Errors::fail($this->errCode = \SOCKET_EPERM);
        }
        if (--$this->depth === 0) {
            $this->across?->unlock();
            $this->release();
        }
        return true;
    }

    /** Who waits goes on after the coroutine that unlocks, and not within its call. */
    private function release(): void
    {
        $this->owner = 0;
        $next = \array_shift($this->waiting);
        if ($next !== null) {
            Engine\spawn(Wait::wake(...), $next);
        }
    }
}
