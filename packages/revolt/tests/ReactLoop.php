<?php

declare(strict_types=1);

namespace Sluice\Revolt\Tests;

use React\EventLoop\LoopInterface;
use React\EventLoop\Timer\Timer;
use React\EventLoop\TimerInterface;
use Revolt\EventLoop;

/** ReactPHP's loop on Revolt's, as the package revolt/event-loop-adapter-react has it: a stand-in for it. */
final class ReactLoop implements LoopInterface
{
    /** @var array<int, string> callbacks by stream */
    private array $reads = [];
    /** @var array<int, string> */
    private array $writes = [];
    /** @var \WeakMap<TimerInterface, string> */
    private \WeakMap $timers;

    public function __construct()
    {
        $this->timers = new \WeakMap();
    }

    public function addReadStream($stream, $listener): void
    {
        $this->reads[(int) $stream] = EventLoop::onReadable($stream, static function (string $id, mixed $stream) use ($listener): void {
            $listener($stream);
        });
    }

    public function addWriteStream($stream, $listener): void
    {
        $this->writes[(int) $stream] = EventLoop::onWritable($stream, static function (string $id, mixed $stream) use ($listener): void {
            $listener($stream);
        });
    }

    public function removeReadStream($stream): void
    {
        EventLoop::cancel($this->reads[(int) $stream] ?? '');
        unset($this->reads[(int) $stream]);
    }

    public function removeWriteStream($stream): void
    {
        EventLoop::cancel($this->writes[(int) $stream] ?? '');
        unset($this->writes[(int) $stream]);
    }

    public function addTimer($interval, $callback): TimerInterface
    {
        $timer = new Timer($interval, $callback, false);
        $this->timers[$timer] = EventLoop::delay($timer->getInterval(), static function () use ($callback, $timer): void {
            $callback($timer);
        });
        return $timer;
    }

    public function addPeriodicTimer($interval, $callback): TimerInterface
    {
        $timer = new Timer($interval, $callback, true);
        $this->timers[$timer] = EventLoop::repeat($timer->getInterval(), static function () use ($callback, $timer): void {
            $callback($timer);
        });
        return $timer;
    }

    public function cancelTimer(TimerInterface $timer): void
    {
        EventLoop::cancel($this->timers[$timer] ?? '');
        unset($this->timers[$timer]);
    }

    public function futureTick($listener): void
    {
        EventLoop::queue($listener(...));
    }

    public function addSignal($signal, $listener): void
    {
        throw new \BadMethodCallException('Signals belong to the server');
    }

    public function removeSignal($signal, $listener): void {}

    public function run(): void
    {
        EventLoop::run();
    }

    public function stop(): void
    {
        EventLoop::getDriver()->stop();
    }
}
