<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Coroutine as Engine;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Wait;

class Channel
{
    public int $capacity = 0;
    public int $errCode = 0;
    /** @var \SplQueue<mixed>|null null before its constructor has run */
    private ?\SplQueue $items = null;
    /** @var array<int, int> */
    private array $producers = [];
    /** @var array<int, int> */
    private array $consumers = [];
    private bool $closed = false;

    public function __construct(int $size = 1)
    {
        if ($this->items !== null) {
            Errors::fatal('channel has already been constructed');
        }
        $this->capacity = \max(1, $size);
        $this->items = new \SplQueue();
    }

    public function push(mixed $data, float $timeout = -1): bool
    {
        $this->errCode = \SWOOLE_CHANNEL_OK;
        if ($this->closed) {
            $this->errCode = \SWOOLE_CHANNEL_CLOSED;
            return false;
        }
        // Who comes later waits behind those who wait.
        if (($this->items()->count() >= $this->capacity || $this->producers !== []) && !$this->wait($this->producers, $timeout)) {
            return false;
        }
        $this->items()->enqueue($data);
        self::wakeFirst($this->consumers);
        return true;
    }

    public function pop(float $timeout = -1): mixed
    {
        $this->errCode = \SWOOLE_CHANNEL_OK;
        if ($this->items()->isEmpty() || $this->consumers !== []) {
            if ($this->closed && $this->items()->isEmpty()) {
                $this->errCode = \SWOOLE_CHANNEL_CLOSED;
                return false;
            }
            if ($this->items()->isEmpty() && !$this->wait($this->consumers, $timeout) && !$this->hasComeInTime()) {
                return false;
            }
        }
        if ($this->items()->isEmpty()) {
            $this->errCode = $this->closed ? \SWOOLE_CHANNEL_CLOSED : \SWOOLE_CHANNEL_TIMEOUT;
            return false;
        }
        $item = $this->items()->dequeue();
        self::wakeFirst($this->producers);
        return $item;
    }

    /** @return array{consumer_num: int, producer_num: int, queue_num: int} */
    public function stats(): array
    {
        return [
            'consumer_num' => \count($this->consumers),
            'producer_num' => \count($this->producers),
            'queue_num' => $this->items()->count(),
        ];
    }

    public function close(): bool
    {
        if ($this->closed) {
            return false;
        }
        $this->closed = true;
        while ($this->producers !== []) {
            self::wakeFirst($this->producers);
        }
        while ($this->consumers !== []) {
            self::wakeFirst($this->consumers);
        }
        return true;
    }

    public function length(): int
    {
        return $this->items()->count();
    }

    public function isEmpty(): bool
    {
        return $this->items()->isEmpty();
    }

    public function isFull(): bool
    {
        return $this->items()->count() >= $this->capacity;
    }

    /** @return \SplQueue<mixed> */
    private function items(): \SplQueue
    {
        return $this->items ?? Errors::fatal('must call constructor first');
    }

    /** After a wait that has failed: what came in the moment in which its time was over is still taken. */
    private function hasComeInTime(): bool
    {
        if ($this->errCode !== \SWOOLE_CHANNEL_TIMEOUT || $this->items()->isEmpty()) {
            return false;
        }
        $this->errCode = \SWOOLE_CHANNEL_OK;
        return true;
    }

    /** @param array<int, int> $queue of who waits, in order */
    private function wait(array &$queue, float $timeout): bool
    {
        $id = Engine\id();
        if ($id === 0) {
            Errors::fatal('API must be called in the coroutine');
        }
        $queue[$id] = $id;
        $wait = Wait::for($timeout);
        unset($queue[$id]);
        if ($wait === Wait::Cancelled) {
            $this->errCode = \SWOOLE_CHANNEL_CANCELED;
        } elseif ($wait === Wait::TimedOut) {
            $this->errCode = \SWOOLE_CHANNEL_TIMEOUT;
        } elseif ($this->closed && ($queue === $this->producers || $this->items()->isEmpty())) {
            $this->errCode = \SWOOLE_CHANNEL_CLOSED;
        } else {
            return true;
        }
        return false;
    }

    /** @param array<int, int> $queue */
    private static function wakeFirst(array &$queue): void
    {
        foreach ($queue as $id) {
            unset($queue[$id]);
            Wait::wake($id);
            return;
        }
    }
}
