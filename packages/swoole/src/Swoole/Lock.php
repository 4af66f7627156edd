<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\Errors;

/** A lock between processes: of a file that nobody sees, so that a process that dies gives it back. */
class Lock
{
    public const MUTEX = \SWOOLE_MUTEX;
    public const RWLOCK = \SWOOLE_RWLOCK;
    public const SPINLOCK = \SWOOLE_SPINLOCK;

    public int $errCode = 0;
    private readonly string $path;
    /** @var array<int, resource> by process */
    private array $files = [];

    public function __construct(int $type = \SWOOLE_MUTEX)
    {
        if (!\in_array($type, [\SWOOLE_MUTEX, \SWOOLE_RWLOCK, \SWOOLE_SPINLOCK, 2, 4], true)) {
            throw new Exception("lock type[$type] is not support");
        }
        $this->path = (string) \tempnam(\sys_get_temp_dir(), 'sluice-lock-');
        $this->owner = (int) \getmypid();
    }

    private readonly int $owner;

    public function lock(int $operation = \LOCK_EX, float $timeout = -1): bool
    {
        $operation = \max(0, $operation & 7);
        $file = $this->file();
        if ($operation & \LOCK_NB || $timeout > 0) {
            $deadline = \microtime(true) + \max(0.0, $timeout);
            $shared = ($operation & 3) === \LOCK_SH;
            while (!\flock($file, ($shared ? \LOCK_SH : \LOCK_EX) | \LOCK_NB)) {
                if (\microtime(true) >= $deadline) {
                    $this->errCode = $timeout > 0 ? 110 : 16;
                    return Errors::fail($this->errCode);
                }
                \usleep(500);
            }
            return true;
        }
        return \flock($file, $operation);
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
        return \flock($this->file(), \LOCK_UN);
    }

    public function __destruct()
    {
        if ($this->owner === \getmypid()) {
            @\unlink($this->path);
        }
    }

    /** @return resource */
    private function file()
    {
        return $this->files[(int) \getmypid()] ??= \fopen($this->path, 'c') ?: throw new Exception('The lock has gone');
    }
}
