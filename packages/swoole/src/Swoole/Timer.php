<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\Callback;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Timers;
use Swoole\Timer\Iterator;

class Timer
{
    public static function tick(int $ms, mixed $callback, mixed ...$params): int|false
    {
        return self::add($ms, Callback::of($callback, 2), $params, true);
    }

    public static function after(int $ms, mixed $callback, mixed ...$params): int|false
    {
        return self::add($ms, Callback::of($callback, 2), $params, false);
    }

    public static function exists(int $timer_id): bool
    {
        return isset(Timers::$all[$timer_id]);
    }

    /** @return array{exec_msec: int, exec_count: int, interval: int, round: int, removed: bool}|null */
    public static function info(int $timer_id): ?array
    {
        $timer = Timers::find($timer_id);
        return $timer === null ? null : [
            'exec_msec' => Timers::sinceBase($timer['due']),
            'exec_count' => $timer['count'],
            'interval' => $timer['repeat'] ? $timer['ms'] : 0,
            'round' => $timer['rounds'],
            'removed' => !isset(Timers::$all[$timer_id]),
        ];
    }

    /** @return array{initialized: bool, num: int, round: int} */
    public static function stats(): array
    {
        return ['initialized' => Timers::lastId() > 0, 'num' => \count(Timers::$all), 'round' => Timers::round()];
    }

    public static function list(): Iterator
    {
        return new Iterator(\array_keys(Timers::$all));
    }

    public static function clear(int $timer_id): bool
    {
        return Timers::remove($timer_id);
    }

    public static function clearAll(): bool
    {
        if (Timers::lastId() === 0) {
            return false;
        }
        Timers::removeAll();
        return true;
    }

    /** @param array<string, mixed> $settings */
    public static function set(array $settings): void
    {
        Errors::deprecated('Method Swoole\Timer::set() is deprecated');
    }

    /** @param array<mixed> $params */
    private static function add(int $ms, callable $callback, array $params, bool $repeat): int|false
    {
        if ($ms < 1) {
            return Errors::warn('Timer must be greater than or equal to ' . \SWOOLE_TIMER_MIN_MS);
        }
        return Timers::add($ms, $callback, $params, $repeat);
    }
}
