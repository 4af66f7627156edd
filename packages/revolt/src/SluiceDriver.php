<?php

declare(strict_types=1);

namespace Sluice\Revolt;

use Revolt\EventLoop\{FiberLocal, InvalidCallbackError, Suspension, UncaughtThrowable, UnsupportedFeatureException};
use Revolt\EventLoop\Internal\{
    AbstractDriver, DriverCallback, SignalCallback, StreamCallback, StreamReadableCallback, StreamWritableCallback, TimerCallback, TimerQueue,
};
use Sluice\Coroutine;
use Sluice\Internal\Waiter;
use Sluice\Worker;

/**
 * A driver of Revolt's event loop on Sluice's own loop. In a worker, and under `Sluice\Coroutine\run()`, a coroutine drives the loop while
 * it has something to wait for, so that nobody has to call run(). A suspension in a coroutine suspends that coroutine. A queued
 * callback, such as that of `Amp\async()`, runs in a coroutine of its own. Elsewhere, such as before `Server::run()`, it works like any other
 * driver.
 */
final class SluiceDriver extends AbstractDriver
{
    /** How often the loop checks whether other coroutines are left. */
    private const LOOK_SECONDS = 0.5;

    /** The loop waits with it; other coroutines wake it. */
    private readonly Waiter $waiter;
    private readonly TimerQueue $timers;
    /** @var array<string, StreamCallback> */
    private array $readers = [];
    /** @var array<string, StreamCallback> */
    private array $writers = [];
    /** @var array<int, array<string, SignalCallback>> */
    private array $signals = [];
    /** @var list<int> signals that have arrived */
    private array $pending = [];
    /** Whether a coroutine drives the loop. */
    private bool $isDriven = false;
    /** Whether stop() ends the loop that is driven. What is registered later drives it again. */
    private bool $isStopped = false;
    /** @var \SplObjectStorage<Run, null> calls of run() that wait for the end of the loop */
    private readonly \SplObjectStorage $runs;
    private int $process;

    public function __construct()
    {
        parent::__construct();
        $this->waiter = new Waiter();
        $this->timers = new TimerQueue();
        $this->runs = new \SplObjectStorage();
        $this->process = (int) \getmypid();
    }

    // --- the interface for applications, in coroutines and elsewhere ---

    public function run(): void
    {
        if (!Waiter::canWait()) {
            parent::run();
            return;
        }
        if (!Waiter::ownsFiber()) {
            throw new \Error('The event loop is already running, or this is a Fiber of the application: call run() in a coroutine or in {main}');
        }
        $run = new Run();
        $this->runs->attach($run);
        $this->drive();
        try {
            $run->wait();
        } finally {
            $this->runs->detach($run);
        }
    }

    public function stop(): void
    {
        parent::stop();
        $this->isStopped = true;
        $this->waiter->wake();
    }

    public function queue(\Closure $closure, mixed ...$args): void
    {
        if (!Waiter::canWait()) {
            parent::queue($closure, ...$args);
            $this->waiter->wake();
            return;
        }
        // By reference: what this closure has by value it keeps until it ends.
        Coroutine\spawn(function () use ($closure, &$args): void {
            try {
                // The arguments are released while the closure runs.
                $closure(...$args, ...($args = []));
            } catch (\Throwable $error) {
                $this->failed($closure, $error);
            } finally {
                FiberLocal::clear();
            }
        });
    }

    public function defer(\Closure $closure): string
    {
        return $this->driven(parent::defer($closure));
    }

    public function delay(float $delay, \Closure $closure): string
    {
        return $this->driven(parent::delay($delay, $closure));
    }

    public function repeat(float $interval, \Closure $closure): string
    {
        return $this->driven(parent::repeat($interval, $closure));
    }

    public function onReadable(mixed $stream, \Closure $closure): string
    {
        return $this->driven(parent::onReadable($stream, $this->guarded($closure)));
    }

    public function onWritable(mixed $stream, \Closure $closure): string
    {
        return $this->driven(parent::onWritable($stream, $this->guarded($closure)));
    }

    /** @throws UnsupportedFeatureException without the extension pcntl */
    public function onSignal(int $signal, \Closure $closure): string
    {
        if (!\function_exists('pcntl_signal')) {
            throw new UnsupportedFeatureException('Signals need the extension pcntl');
        }
        return $this->driven(parent::onSignal($signal, $closure));
    }

    public function enable(string $callbackId): string
    {
        return $this->driven(parent::enable($callbackId));
    }

    public function disable(string $callbackId): string
    {
        $this->waiter->wake();
        return parent::disable($callbackId);
    }

    public function reference(string $callbackId): string
    {
        return $this->driven(parent::reference($callbackId));
    }

    public function unreference(string $callbackId): string
    {
        $this->waiter->wake();
        return parent::unreference($callbackId);
    }

    /** @return Suspension<mixed> */
    public function getSuspension(): Suspension
    {
        // Revolt itself suspends a Fiber that a callback or the application has made.
        return Waiter::canWait() && Waiter::ownsFiber() ? new CoroutineSuspension() : parent::getSuspension();
    }

    public function getHandle(): mixed
    {
        return null;
    }

    public function __destruct()
    {
        foreach ($this->signals as $signal => $callbacks) {
            \pcntl_signal($signal, \SIG_DFL);
        }
    }

    // --- the interface for Revolt ---

    protected function now(): float
    {
        return \hrtime(true) / 1e9;
    }

    /** @param array<string, DriverCallback> $callbacks */
    protected function activate(array $callbacks): void
    {
        foreach ($callbacks as $callback) {
            if ($callback instanceof StreamReadableCallback) {
                $this->readers[$callback->id] = $callback;
            } elseif ($callback instanceof StreamWritableCallback) {
                $this->writers[$callback->id] = $callback;
            } elseif ($callback instanceof TimerCallback) {
                $this->timers->insert($callback);
            } elseif ($callback instanceof SignalCallback) {
                if (!isset($this->signals[$callback->signal])) {
                    $this->handle($callback->signal);
                }
                $this->signals[$callback->signal][$callback->id] = $callback;
            }
        }
    }

    protected function deactivate(DriverCallback $callback): void
    {
        if ($callback instanceof StreamReadableCallback) {
            unset($this->readers[$callback->id]);
        } elseif ($callback instanceof StreamWritableCallback) {
            unset($this->writers[$callback->id]);
        } elseif ($callback instanceof TimerCallback) {
            $this->timers->remove($callback);
        } elseif ($callback instanceof SignalCallback) {
            unset($this->signals[$callback->signal][$callback->id]);
            if (($this->signals[$callback->signal] ?? null) === []) {
                unset($this->signals[$callback->signal]);
                \pcntl_signal($callback->signal, \SIG_DFL);
            }
        }
    }

    protected function dispatch(bool $blocking): void
    {
        if ($this->signals !== []) {
            \pcntl_signal_dispatch();
            $blocking = $blocking && $this->pending === [];
        }
        if (!$blocking && Waiter::canWait()) {
            // Coroutines of queued callbacks run first, and a loop that is always busy lets other coroutines run.
            Coroutine\sleep(0);
        }
        $streams = static fn(StreamCallback $callback) => $callback->stream;
        [$readable, $writable] = $this->waiter->waitForStreams(
            \array_map($streams, $this->readers),
            \array_map($streams, $this->writers),
            $blocking ? $this->secondsToWait() : 0.0,
        );
        if ($blocking && Worker::isStopping() && Coroutine\stats()->live === 1) {
            // No other coroutine is left that could need a further event.
            parent::stop();
            return;
        }
        if ($this->signals !== []) {
            \pcntl_signal_dispatch();
        }
        [$pending, $this->pending] = [$this->pending, []];
        foreach ($pending as $signal) {
            \array_map($this->enqueueCallback(...), \array_values($this->signals[$signal] ?? []));
        }
        foreach ([[$readable, $this->readers], [$writable, $this->writers]] as [$ready, $callbacks]) {
            foreach ($ready as $id) {
                if (isset($callbacks[$id])) {
                    $this->enqueueCallback($callbacks[$id]);
                }
            }
        }
        $now = $this->now();
        while ($callback = $this->timers->extract($now)) {
            $this->enqueueCallback($callback);
        }
    }

    private function secondsToWait(): float
    {
        $most = Worker::current() === null ? 1e9 : self::LOOK_SECONDS;
        $expiration = $this->timers->peek();
        return $expiration === null ? $most : \min($most, \max(0.0, $expiration - $this->now()));
    }

    /** @throws UnsupportedFeatureException when the signal cannot be handled */
    private function handle(int $signal): void
    {
        $done = @\pcntl_signal($signal, function (int $signal): void {
            $this->pending[] = $signal;
            $this->waiter->wake();
        });
        if (!$done) {
            throw new UnsupportedFeatureException("Signal $signal cannot be handled: " . \pcntl_strerror(\pcntl_get_last_error()));
        }
    }

    // --- the coroutine that drives the loop ---

    /** Drives the loop, which may have something to wait for now. */
    private function driven(string $callbackId): string
    {
        $this->drive();
        return $callbackId;
    }

    /**
     * A callback of a stream that is cancelled when it throws and nobody has called run(): elsewhere the exception ends the loop, but this loop goes on, and the
     * stream is still ready.
     *
     * @return \Closure(string, mixed): void
     */
    private function guarded(\Closure $closure): \Closure
    {
        return function (string $id, mixed $stream) use ($closure): void {
            try {
                if ($closure($id, $stream) !== null) {
                    throw InvalidCallbackError::nonNullReturn($id, $closure);
                }
            } catch (\Throwable $error) {
                if ($this->getErrorHandler() !== null) {
                    throw $error;
                }
                if ($this->isDriven && \count($this->runs) === 0) {
                    $this->cancel($id);
                }
                throw $error instanceof UncaughtThrowable ? $error : UncaughtThrowable::throwingCallback($closure, $error);
            }
        };
    }

    private function drive(): void
    {
        if ($this->process !== \getmypid()) {
            // The coroutine that drove the loop is in the parent process of this fork.
            $this->process = (int) \getmypid();
            $this->isDriven = false;
        }
        if ($this->isDriven) {
            $this->waiter->wake();
        } elseif (Waiter::canWait()) {
            $this->isDriven = true;
            $this->isStopped = false;
            Coroutine\spawn($this->driveOn(...));
        }
    }

    private function driveOn(): void
    {
        // Runs the loop's own Fiber until it has nothing to wait for, or an exception is to come out of it.
        /** @var \Closure(): ((\Closure(): mixed)|null) $turn */
        $turn = \Closure::bind(fn() => ($this->runCallback)(), $this, AbstractDriver::class);
        try {
            // Coroutines of queued callbacks run first.
            Coroutine\sleep(0);
            do {
                $interrupt = $turn();
                if ($interrupt !== null) {
                    $this->interrupted($interrupt);
                }
            } while (!$this->isStopped && ($interrupt !== null || $this->stays()));
        } finally {
            $this->isDriven = false;
            foreach ($this->runs as $run) {
                $run->end();
            }
        }
    }

    /** Whether to go on without referenced callbacks: unreferenced ones are called while other coroutines live. */
    private function stays(): bool
    {
        if (\count($this->runs) > 0 || !$this->hasEnabled()) {
            return false;
        }
        $isWanted = Worker::current() !== null ? !Worker::isStopping() : Coroutine\stats()->live > 1;
        if ($isWanted) {
            parent::delay(self::LOOK_SECONDS, static function (): void {});
        }
        return $isWanted;
    }

    private function hasEnabled(): bool
    {
        foreach ($this->getIdentifiers() as $id) {
            if ($this->isEnabled($id)) {
                return true;
            }
        }
        return false;
    }

    /** @param \Closure(): mixed $interrupt throws the exception that nobody has caught */
    private function interrupted(\Closure $interrupt): void
    {
        try {
            $interrupt();
        } catch (\Throwable $error) {
            foreach ($this->runs as $run) {
                if (!$run->isOver()) {
                    $run->end($error);
                    // Who has called run() calls it again, perhaps, and is then to have the next exception.
                    Coroutine\sleep(0);
                    return;
                }
            }
            // As with any exception of a coroutine, the log and `Server::onError()` get it.
            Coroutine\spawn(static fn() => throw $error);
        }
    }

    private function failed(\Closure $closure, \Throwable $error): void
    {
        if ($error instanceof Coroutine\CancelledError || ($this->getErrorHandler() === null && \count($this->runs) === 0)) {
            throw $error;
        }
        $this->error($closure, $error);
        $this->drive();
    }
}
