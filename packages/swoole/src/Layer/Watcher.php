<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Sluice\Internal\Waiter;

/** Watches one descriptor in a coroutine, and calls its callbacks. */
final class Watcher
{
    private readonly Waiter $waiter;
    /** @var callable|null */
    private $onRead;
    /** @var callable|null */
    private $onWrite;

    /** @param resource $stream */
    public function __construct(private readonly mixed $descriptor, private $stream, ?callable $onRead, ?callable $onWrite, public int $events)
    {
        $this->waiter = new Waiter();
        $this->onRead = $onRead;
        $this->onWrite = $onWrite;
    }

    public function begin(callable $gone): void
    {
        Coroutine\start(function () use ($gone): void {
            $id = Coroutine\id();
            Coroutines::$hidden[$id] = true;
            while ($this->events !== 0) {
                if (!\is_resource($this->stream)) {
                    $gone();
                    break;
                }
                $read = $this->events & \SWOOLE_EVENT_READ ? [$this->stream] : [];
                $write = $this->events & \SWOOLE_EVENT_WRITE ? [$this->stream] : [];
                [$readable, $writable] = $this->waiter->waitForStreams($read, $write, 3600.0);
                if ($readable !== [] && $this->onRead !== null) {
                    Coroutines::start($this->onRead, [$this->descriptor]);
                }
                if ($writable !== [] && $this->onWrite !== null) {
                    Coroutines::start($this->onWrite, [$this->descriptor]);
                }
                Coroutine\suspend(0);
            }
            unset(Coroutines::$hidden[$id]);
        });
    }

    public function change(?callable $onRead, ?callable $onWrite, int $events): void
    {
        $this->onRead = $onRead ?? $this->onRead;
        $this->onWrite = $onWrite ?? $this->onWrite;
        $this->events = $events ?: $this->events;
        $this->waiter->wake();
    }

    public function end(): void
    {
        $this->events = 0;
        $this->onRead = $this->onWrite = null;
        $this->waiter->wake();
    }
}
