<?php

/** @generate-class-entries */

namespace Sluice;

/**
 * A callback of this worker at a later time. It fires at the earliest when its time has come, in a coroutine of
 * its own; when it fires again and again, never before it has ended.
 *
 * @strict-properties
 * @not-serializable
 */
final class Timer
{
    private function __construct() {}

    /**
     * @param float $seconds 0 to 1e9; a resolution of 1 ms
     * @param callable(): mixed $callback
     */
    public static function after(float $seconds, callable $callback): Timer {}

    /**
     * @param float $seconds 0.001 to 1e9; a firing that comes late is not made up for
     * @param callable(): mixed $callback
     */
    public static function every(float $seconds, callable $callback): Timer {}

    /** Whether it was still to fire. */
    public function cancel(): bool {}

    public function isActive(): bool {}
}
