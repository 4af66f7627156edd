<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\Errors;
use Sluice\Swoole\SharedNumber;

/**
 * A lock between processes. Its number is 0: free; -1 as unsigned: one holds it; else how many read. As Swoole's, any process may unlock it, and
 * one that dies with it keeps it.
 */
class Lock
{
    public const MUTEX = \SWOOLE_MUTEX;
    public const RWLOCK = \SWOOLE_RWLOCK;
    public const SPINLOCK = \SWOOLE_SPINLOCK;

    private const HELD = 0xffffffff;

    public int $errCode = 0;
    private ?SharedNumber $made = null;

    public function __construct(int $type = \SWOOLE_MUTEX)
    {
        if ($this->made !== null) {
            throw new \Error('Constructor of Swoole\Lock can only be called once');
        }
        if (!\in_array($type, [\SWOOLE_MUTEX, \SWOOLE_RWLOCK, \SWOOLE_SPINLOCK], true)) {
            throw new Exception("lock type[$type] is not support");
        }
        $this->made = new SharedNumber(0, self::HELD);
    }

    public function lock(int $operation = \LOCK_EX, float $timeout = -1): bool
    {
        $shared = ($operation & 3) === \LOCK_SH;
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
        for (;;) {
            $seen = $this->number()->get();
            if ($this->take($shared)) {
                break;
            }
            if ($operation & \LOCK_NB) {
                $this->errCode = 16;
                return Errors::fail($this->errCode);
            }
            $left = $deadline === \INF ? null : $deadline - \microtime(true);
            if ($left !== null && $left <= 0) {
                $this->errCode = 110;
                return Errors::fail($this->errCode);
            }
            $this->number()->waitWhile($seen, $left === null ? null : \min($left, 1e9));
        }
        $this->errCode = 0;
        return true;
    }

    public function trylock(): bool
    {
        return $this->lock(\LOCK_EX | \LOCK_NB);
    }

    public function lock_read(): bool
    {
        return $this->lock(\LOCK_SH);
    }

    public function trylock_read(): bool
    {
        return $this->lock(\LOCK_SH | \LOCK_NB);
    }

    public function lockwait(float $timeout = 1.0): bool
    {
        return $this->lock(\LOCK_EX, $timeout);
    }

    public function unlock(): bool
    {
        if ($this->number()->compareAndSet(self::HELD, 0)) {
            $this->number()->wake();
            return true;
        }
        $readers = $this->number()->get();
        if ($readers > 0 && $readers !== self::HELD) {
            $this->number()->add(-1);
            $this->number()->wake();
        }
        return true;
    }

    private function take(bool $shared): bool
    {
        $readers = $this->number()->get();
        return $shared ? $readers !== self::HELD && $this->number()->compareAndSet($readers, $readers + 1) : $this->number()->compareAndSet(0, self::HELD);
    }

    private function number(): SharedNumber
    {
        return $this->made ?? throw new \Error('must call constructor first');
    }
}
