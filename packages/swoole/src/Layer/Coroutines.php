<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Swoole\Coroutine\Context;

/** What the layer knows of each coroutine of this process beside the engine. */
final class Coroutines
{
    /** @var array<int, Context> */
    public static array $contexts = [];
    /** @var array<int, float> when each has begun */
    public static array $begun = [];
    /** @var array<int, list<int>> who waits for its end */
    public static array $joiners = [];
    /** @var array<string, mixed> what `Coroutine::set()` was given */
    public static array $options = [];
    /** @var array<int, list<callable>> what each has deferred */
    private static array $deferred = [];
    /** @var array<int, true> those that have ended as who has joined them goes on */
    private static array $ending = [];
    public static int $peak = 0;
    /** How long a coroutine may compute with the option `enable_preemptive_scheduler`. */
    private const SLICE_SECONDS = 0.01;
    private static bool $isPreemptive = false;
    /** @var array<int, true> the coroutines of the layer itself, which programs do not see */
    public static array $hidden = [];

    /**
     * Begins a coroutine at once.
     *
     * @param array<mixed> $parameters
     */
    public static function start(callable $function, array $parameters): int|false
    {
        $most = self::$options['max_coro_num'] ?? self::$options['max_coroutine'] ?? null;
        if (\is_int($most) && \count(self::$begun) >= $most) {
            return Errors::warn("exceed max number of coroutine $most");
        }
        $number = 0;
        // The one that begins another has the lower number.
        Numbers::of(Coroutine\id());
        $begin = static function () use ($function, $parameters, &$number): void {
            $id = Coroutine\id();
            self::$begun[$id] = \microtime(true);
            $number = Numbers::of($id);
            self::$peak = \max(self::$peak, \count(self::$begun));
            // Deferred first, so called last: what the function defers still has the context.
            $result = null;
            Coroutine\defer(static function () use ($id, &$result): void {
                self::runDeferred($id, $result);
                self::end($id);
            });
            try {
                $result = Callback::call($function, $parameters);
            } catch (Coroutine\CancelledError $cancelled) {
                if (!isset(Waits::$cancelled[$id])) {
                    throw $cancelled;
                }
            } catch (\Throwable $error) {
                Uncaught::end($error);
            }
        };
        try {
            Coroutine\start($begin);
        } catch (Coroutine\LimitException) {
            $stats = Coroutine\stats();
            if ($stats->live >= $stats->limit) {
                return Errors::warn('exceed max number of coroutine');
            }
            // PHP up to 8.3 switches no Fiber in a destructor: it begins when the loop comes to it.
            Coroutine\spawn($begin);
        }
        return $number;
    }

    /**
     * Calls a program's callback: in a coroutine of its own, unless the option `enable_coroutine` is off.
     *
     * @param array<mixed> $parameters
     */
    public static function callBack(callable $function, array $parameters): void
    {
        if ((self::$options['enable_coroutine'] ?? true) === false) {
            Callback::call($function, $parameters);
        } else {
            self::start($function, $parameters);
        }
    }

    /** The option `enable_preemptive_scheduler`, for this process: the layer's own code is not interrupted. */
    public static function preemptAsAsked(): void
    {
        $isOn = (bool) (self::$options['enable_preemptive_scheduler'] ?? \ini_get('swoole.enable_preemptive_scheduler'));
        if ($isOn || self::$isPreemptive) {
            Coroutine\preempt($isOn ? self::SLICE_SECONDS : null, \dirname(__DIR__) . '/');
        }
        self::$isPreemptive = $isOn;
    }

    /** Programs do not see the running coroutine until it ends: their code is to run as outside of coroutines. */
    public static function hide(): void
    {
        $id = Coroutine\id();
        self::$hidden[$id] = true;
        Coroutine\defer(static function () use ($id): void {
            unset(self::$hidden[$id]);
        });
    }

    /** Defers a call until the coroutine ends. It gets what the coroutine's function has returned. */
    public static function defer(int $id, callable $function): void
    {
        if (isset(self::$begun[$id])) {
            self::$deferred[$id][] = $function;
        } else {
            // A handler's coroutine, which the engine has begun. It has its number until the last of the calls.
            Numbers::of($id);
            Coroutine\defer(static fn(): mixed => Callback::call($function, [null]));
        }
    }

    /** The last one first. */
    public static function runDeferred(int $id, mixed $result): void
    {
        while (isset(self::$deferred[$id]) && ($function = \array_pop(self::$deferred[$id])) !== null) {
            try {
                Callback::call($function, [$result]);
            } catch (Coroutine\CancelledError $cancelled) {
                throw $cancelled;
            } catch (\Throwable $error) {
                unset(self::$deferred[$id]);
                Uncaught::end($error);
            }
        }
        unset(self::$deferred[$id]);
    }

    /** Called when a coroutine has ended, with all that it has deferred. */
    public static function end(int $id): void
    {
        unset(self::$begun[$id], self::$contexts[$id], Waits::$cancelled[$id]);
        if (isset(self::$joiners[$id])) {
            $joiners = self::$joiners[$id];
            unset(self::$joiners[$id]);
            // Who goes on sees that it has ended, although its last call has not returned.
            self::$ending[$id] = true;
            foreach ($joiners as $joiner) {
                Wait::wake($joiner);
            }
            unset(self::$ending[$id]);
        }
        Numbers::end($id);
    }

    /** The context of a coroutine, which ends with it. */
    public static function context(int $id): ?Context
    {
        if (isset(self::$contexts[$id])) {
            return self::$contexts[$id];
        }
        if ($id !== Coroutine\id() && !self::exists($id)) {
            return null;
        }
        if (!isset(self::$begun[$id]) && $id === Coroutine\id()) {
            // A handler's coroutine, which the engine has begun.
            Numbers::of($id);
            Coroutine\defer(static fn() => self::end($id));
        }
        return self::$contexts[$id] = new Context();
    }

    public static function exists(int $id): bool
    {
        return $id > 0 && !isset(self::$hidden[$id]) && !isset(self::$ending[$id]) && Coroutine\parentId($id) !== null;
    }

    /** @return list<int> the numbers of those that programs see, the lowest first */
    public static function numbers(): array
    {
        $all = [];
        foreach (Coroutine\ids() as $id) {
            if (!isset(self::$hidden[$id])) {
                $all[] = Numbers::of($id);
            }
        }
        \sort($all);
        return $all;
    }

    /** In a process that was forked: the parent's coroutines are not this process's. */
    public static function forget(): void
    {
        self::$contexts = self::$begun = self::$joiners = self::$hidden = [];
        Waits::$cancellable = Waits::$cancelled = [];
        Numbers::forget();
        self::preemptAsAsked();
    }
}
