<?php

/** @generate-class-entries */

namespace Sluice\Internal;

/**
 * What the parts of Sluice that are written in PHP (src/php/library) wait with. Not for applications: it may change with
 * any version.
 *
 * @strict-properties
 * @not-serializable
 */
final class Waiter
{
    public function __construct() {}

    /** Whether wait() could suspend here: this is a coroutine, and PHP lets its Fiber be suspended. */
    public static function canWait(): bool {}

    /**
     * Waits for wake(), which may have been called already. One coroutine at a time.
     *
     * @param float $seconds 0 to 1e9
     * @return bool false when that much time passed first
     */
    public function wait(float $seconds): bool {}

    /** Lets wait() return true, once. */
    public function wake(): void {}

    /**
     * Waits until something can be read from, or written to, the stream's descriptor; outside a coroutine it blocks.
     *
     * @param resource $stream
     * @param float $seconds 0 to 1e9
     * @return bool false when that much time passed first
     */
    public static function forStream(mixed $stream, bool $write, float $seconds): bool {}
}
