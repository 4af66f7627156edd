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

    /** Cancels the timer. Returns whether it was still to call its callback. */
    public function cancel(): bool {}

    /** Whether the timer is still to call its callback. */
    public function isActive(): bool {}
}
