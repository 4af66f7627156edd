<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\Callback;
use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Loop;
use Sluice\Swoole\Streams;
use Sluice\Swoole\Watcher;

class Event
{
    /** @var array<string, Watcher> */
    private static array $watchers = [];

    public static function add(mixed $fd, mixed $read_callback = null, mixed $write_callback = null, int $events = \SWOOLE_EVENT_READ): int|false
    {
        $read_callback = $read_callback === null ? null : Callback::of($read_callback, 2, 'read_callback');
        $write_callback = $write_callback === null ? null : Callback::of($write_callback, 3, 'write_callback');
        if (($read_callback === null && ($events & \SWOOLE_EVENT_READ)) || ($write_callback === null && ($events & \SWOOLE_EVENT_WRITE)) || $events === 0) {
            return Errors::warn('both read and write callbacks are empty');
        }
        $key = Streams::key($fd);
        $stream = Streams::of($fd);
        if ($stream === null) {
            return Errors::warn('unknown type');
        }
        if (isset(self::$watchers[$key])) {
            return Errors::warn('already exist');
        }
        self::$watchers[$key] = new Watcher($fd, $stream, $read_callback, $write_callback, $events);
        self::$watchers[$key]->begin(static function () use ($key): void {
            unset(self::$watchers[$key]);
        });
        return \is_int($fd) ? $fd : \get_resource_id($stream);
    }

    public static function set(mixed $fd, mixed $read_callback = null, mixed $write_callback = null, int $events = 0): bool
    {
        $watcher = self::$watchers[Streams::key($fd)] ?? null;
        if ($watcher === null) {
            return Errors::warn('Event::set() failed: the descriptor has not been added');
        }
        $watcher->change(
            $read_callback === null ? null : Callback::of($read_callback, 2, 'read_callback'),
            $write_callback === null ? null : Callback::of($write_callback, 3, 'write_callback'),
            $events,
        );
        return true;
    }

    public static function del(mixed $fd): bool
    {
        $key = Streams::key($fd);
        if (!isset(self::$watchers[$key])) {
            return false;
        }
        self::$watchers[$key]->end();
        unset(self::$watchers[$key]);
        return true;
    }

    public static function isset(mixed $fd, int $events = \SWOOLE_EVENT_READ | \SWOOLE_EVENT_WRITE): bool
    {
        $watcher = self::$watchers[Streams::key($fd)] ?? null;
        return $watcher !== null && ($watcher->events & $events) !== 0;
    }

    public static function write(mixed $fd, string $data): bool
    {
        if ($data === '') {
            return Errors::warn('the data sent must not be empty');
        }
        $stream = Streams::of($fd);
        if ($stream === null) {
            return Errors::warn('unknown type');
        }
        $number = Coroutines::start(static function () use ($stream, $data): void {
            while ($data !== '' && \is_resource($stream)) {
                $written = @\fwrite($stream, $data);
                if ($written === false) {
                    return;
                }
                $data = \substr($data, $written);
                if ($data !== '') {
                    \Sluice\Internal\Waiter::forStream($stream, true, 30.0);
                }
            }
        }, []);
        return $number !== false;
    }

    public static function wait(): void
    {
        Loop::run();
    }

    public static function rshutdown(): void
    {
        Loop::run();
    }

    public static function dispatch(): bool
    {
        \Sluice\Coroutine\sleep(0);
        return true;
    }

    /** Ends all that has been added here, and all timers: the loop ends when nothing else is left. */
    public static function exit(): void
    {
        foreach (self::$watchers as $watcher) {
            $watcher->end();
        }
        self::$watchers = [];
        Timer::clearAll();
    }

    public static function defer(mixed $callback): bool
    {
        $callback = Callback::of($callback, 1);
        \Sluice\Coroutine\start(static function () use ($callback): void {
            Coroutines::$hidden[\Sluice\Coroutine\id()] = true;
            \Sluice\Coroutine\suspend(0);
            unset(Coroutines::$hidden[\Sluice\Coroutine\id()]);
            Coroutines::start($callback, []);
        });
        return true;
    }

    public static function cycle(?callable $callback, bool $before = false): bool
    {
        return Errors::warn('Swoole\Event::cycle() is not offered: use a Timer');
    }

    public static function count(): int
    {
        return \count(self::$watchers);
    }

    /** In a process that was forked. */
    public static function forget(): void
    {
        self::$watchers = [];
    }
}
