<?php

/** @generate-class-entries */

namespace Sluice;

/**
 * A callback that this worker calls later, once or repeatedly, in a coroutine of its own. It is not called before its time. A
 * repeating timer never calls the callback while an earlier call still runs.
 *
 * @strict-properties
 * @not-serializable
 */
final class Timer
{
    private function __construct() {}

    /**
     * Calls `$callback` once, after this time.
     *
     * @param float $seconds 0 to 1e9, rounded up to milliseconds
     * @param callable(): mixed $callback
     * @throws \ValueError when $seconds is out of range
     * @throws ServerException outside of a worker
     */
    public static function after(float $seconds, callable $callback): Timer {}

    /**
     * Calls `$callback` again and again, from one beginning to the next after this time. A call that is missed because an earlier one
     * took too long is not made up for.
     *
     * @param float $seconds 0.001 to 1e9, rounded up to milliseconds
     * @param callable(): mixed $callback
     * @throws \ValueError when $seconds is out of range
     * @throws ServerException outside of a worker
     */
    public static function every(float $seconds, callable $callback): Timer {}

    /**
     * Before run(): calls something at the times of an expression as in a crontab, once in the whole server, in a process of its own
     * (the service `cron`). When a reload or a restart of that process has missed minutes, up to a day, each entry of these minutes is called once. No entry is
     * called twice for one minute. When clocks are put forward, entries of the hour left out are called right after it; when clocks are put back, entries for
     * certain hours are called once. An entry is not called while its last call still runs.
     *
     * @param string $expression minute, hour, day of the month, month and day of the week: `*`, numbers, names (`mon`, `jan`), ranges,
     *     lists and steps (`*\/15`), or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`
     * @param callable(\DateTimeImmutable): mixed $callback gets the minute that it is called for
     * @param string|null $timeZone such as `Europe/Berlin`; null: PHP's default time zone
     * @throws \ValueError
     * @throws ServerException in a process that serves
     */
    public static function cron(string $expression, callable $callback, ?string $timeZone = null): void {}

    /** Cancels the timer. Returns whether it was still to call its callback. */
    public function cancel(): bool {}

    /** Whether the timer is still to call its callback. */
    public function isActive(): bool {}
}
