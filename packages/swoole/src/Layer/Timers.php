<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;

/**
 * The timers of this process. One coroutine sleeps until the next one is due; it lives only while there are timers, so that they alone keep
 * a script's loop going.
 *
 * @phpstan-type Timer array{due: float, ms: int, repeat: bool, callback: callable, parameters: array<mixed>, rounds: int, count: int}
 */
final class Timers
{
    /** @var array<int, Timer> */
    public static array $all = [];
    private static int $last = 0;
    private static int $rounds = 0;
    private static int $keeper = 0;
    /** @var \SplPriorityQueue<int, array{float, int}>|null */
    private static ?\SplPriorityQueue $queue = null;
    /** The process that has them. */
    private static int $owner = 0;
    /** Until when the coroutine sleeps. */
    private static float $wakes = 0.0;
    /** @var Timer|null the timer whose callback runs */
    private static ?array $called = null;
    private static int $calledId = 0;
    /** When the first timer was made. */
    private static float $base = 0.0;

    /** @param array<mixed> $parameters */
    public static function add(int $ms, callable $callback, array $parameters, bool $repeat): int
    {
        if (self::$owner !== \getmypid()) {
            self::forget();
        }
        $id = ++self::$last;
        self::$base = self::$base ?: \microtime(true);
        self::$all[$id] = [
            'due' => \microtime(true) + $ms / 1000, 'ms' => $ms, 'repeat' => $repeat, 'callback' => $callback, 'parameters' => $parameters,
            'rounds' => self::$rounds, 'count' => 0,
        ];
        self::enqueue($id);
        if (self::$keeper === 0) {
            Coroutine\start(self::keep(...));
        } elseif (self::$all[$id]['due'] < self::$wakes) {
            Coroutine\resume(self::$keeper);
        }
        return $id;
    }

    public static function remove(int $id): bool
    {
        if (!isset(self::$all[$id])) {
            return false;
        }
        unset(self::$all[$id]);
        if (self::$all === [] && self::$keeper !== 0) {
            Coroutine\resume(self::$keeper);
        }
        return true;
    }

    public static function removeAll(): void
    {
        self::$all = [];
        if (self::$keeper !== 0) {
            Coroutine\resume(self::$keeper);
        }
    }

    /**
     * In a process that was forked: goes on with timers of its parent.
     *
     * @param array<int, Timer> $timers
     */
    public static function adopt(array $timers): void
    {
        foreach ($timers as $timer) {
            self::add($timer['ms'], $timer['callback'], $timer['parameters'], $timer['repeat']);
        }
    }

    /** Calls what is due, in a process whose loop does not run. */
    public static function callDue(): void
    {
        if (self::$queue !== null) {
            ++self::$rounds;
            foreach (self::takeDue(self::$queue) as $id) {
                self::call($id);
            }
        }
    }

    public static function round(): int
    {
        return self::$rounds;
    }

    /** Milliseconds from the first timer to a time. */
    public static function sinceBase(float $time): int
    {
        return (int) \ceil(($time - self::$base) * 1000);
    }

    public static function lastId(): int
    {
        return self::$last;
    }

    /** In a process that was forked: the parent's timers are not this process's. */
    public static function forget(): void
    {
        self::$all = [];
        self::$queue = null;
        self::$keeper = 0;
        self::$wakes = 0.0;
        self::$owner = (int) \getmypid();
    }

    private static function enqueue(int $id): void
    {
        self::$queue ??= new \SplPriorityQueue();
        self::$queue->insert([self::$all[$id]['due'], $id], -((int) (self::$all[$id]['due'] * 1e6) << 8) - ($id & 0xff));
    }

    /** The coroutine. */
    private static function keep(): void
    {
        $self = Coroutine\id();
        self::$keeper = $self;
        Coroutines::$hidden[$self] = true;
        // No timer is called before its caller has the number.
        Coroutine\suspend(0);
        while (self::$all !== [] && self::$keeper === $self && self::$queue !== null) {
            $wait = self::untilNext(self::$queue);
            if ($wait > 0) {
                self::$wakes = \microtime(true) + $wait;
                if (Coroutine\suspend($wait)) {
                    // Who has changed the timers goes on first.
                    self::$wakes = 0.0;
                    Coroutine\suspend(0);
                }
                continue;
            }
            self::$wakes = 0.0;
            ++self::$rounds;
            foreach (self::takeDue(self::$queue) as $id) {
                self::call($id);
            }
            Coroutine\suspend(0);
        }
        if (self::$keeper === $self) {
            self::$keeper = 0;
        }
        unset(Coroutines::$hidden[$self]);
    }

    /** @param \SplPriorityQueue<int, array{float, int}> $queue */
    private static function untilNext(\SplPriorityQueue $queue): float
    {
        while (!$queue->isEmpty()) {
            [$due, $id] = self::entry($queue->top());
            if (isset(self::$all[$id]) && self::$all[$id]['due'] === $due) {
                return $due - \microtime(true);
            }
            $queue->extract();
        }
        return 0.0;
    }

    /**
     * @param \SplPriorityQueue<int, array{float, int}> $queue
     * @return list<int>
     */
    private static function takeDue(\SplPriorityQueue $queue): array
    {
        $now = \microtime(true);
        $due = [];
        while (!$queue->isEmpty() && self::entry($queue->top())[0] <= $now) {
            [$at, $id] = self::entry($queue->extract());
            if (isset(self::$all[$id]) && self::$all[$id]['due'] === $at) {
                $due[] = $id;
            }
        }
        return $due;
    }

    /** @return array{float, int} when a timer was due, and which */
    private static function entry(mixed $entry): array
    {
        return \is_array($entry) && \is_float($entry[0] ?? null) && \is_int($entry[1] ?? null) ? [$entry[0], $entry[1]] : [0.0, 0];
    }

    private static function call(int $id): void
    {
        $timer = self::$all[$id] ?? null;
        if ($timer === null) {
            return;
        }
        if ($timer['repeat']) {
            $now = \microtime(true);
            $period = $timer['ms'] / 1000;
            $timer['due'] += $period;
            if ($timer['due'] <= $now) {
                $timer['due'] = $now + $period;
            }
            ++$timer['count'];
            self::$all[$id] = $timer;
            self::enqueue($id);
            $parameters = [$id, ...$timer['parameters']];
        } else {
            $parameters = $timer['parameters'];
        }
        [self::$called, self::$calledId] = [$timer, $id];
        Coroutines::callBack($timer['callback'], $parameters);
        self::$called = null;
        if (!$timer['repeat']) {
            unset(self::$all[$id]);
        }
    }

    /** @return Timer|null also of the timer whose callback runs and has removed it */
    public static function find(int $id): ?array
    {
        return self::$all[$id] ?? ($id === self::$calledId ? self::$called : null);
    }
}
