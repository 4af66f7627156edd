<?php

/** @generate-class-entries */

namespace Sluice\Internal;

/**
 * How the classes of Sluice that are written in PHP wait. Not for applications: it may change with any version.
 *
 * @strict-properties
 * @not-serializable
 */
final class Waiter
{
    public function __construct() {}

    /** Whether wait() could suspend here: in a coroutine whose Fiber PHP can suspend now. */
    public static function canWait(): bool {}

    /** Whether this runs in a coroutine's own Fiber, and not in a Fiber that the application has made in the coroutine. */
    public static function ownsFiber(): bool {}

    /**
     * Whom this code works for, where clients share something: a number that all coroutines of one client have, those that its
     * handlers have spawned included; 0: it works for no client.
     */
    public static function client(): int {}

    /**
     * Waits for wake(), which may have been called already. One coroutine at a time.
     *
     * @param float $seconds 0 to 1e9, which is for ever
     * @return bool false: wake() was not called in time
     * @throws \Error outside of a coroutine, and while another coroutine waits
     */
    public function wait(float $seconds): bool {}

    /** Lets one wait() return true: the present one, or else the next. */
    public function wake(): void {}

    /**
     * Waits until a stream's descriptor is readable or, with $write, writable. Outside of a coroutine it blocks.
     *
     * @param resource $stream
     * @param float $seconds 0 to 1e9
     * @return bool false: it was not ready in time
     * @throws \ValueError when the stream has no descriptor
     */
    public static function forStream(mixed $stream, bool $write, float $seconds): bool {}

    /**
     * Waits for wake(), or until one of `$read` is readable or one of `$write` writable. A stream with bytes in PHP's buffer is readable.
     * Closed streams and streams without a descriptor are ignored. Outside of a coroutine it blocks, and a signal ends the wait.
     *
     * @template R of array-key
     * @template W of array-key
     * @param array<R, resource> $read
     * @param array<W, resource> $write
     * @param float $seconds 0 to 1e9
     * @return array{list<R>, list<W>} the keys of the streams that are ready
     */
    public function waitForStreams(array $read, array $write, float $seconds): array {}
}

/**
 * The client's side of the WebSocket protocol (RFC 6455): bytes in, events out; it does no I/O. DEFLATE_OFFER is the value of
 * Sec-WebSocket-Extensions that offers compression. MAX_ANSWER_BYTES is the longest head for answer(). Not for applications: it may
 * change with any version.
 *
 * @strict-properties
 * @not-serializable
 */
final class WebSocketEndpoint
{
    /**
     * @param int $maxMessageBytes longest message, after inflating
     * @param int $maxFragments frames of one message at most
     * @param int $level of compression, 1 (fastest) to 9 (smallest)
     * @param int $minBytes messages with fewer bytes are sent uncompressed
     */
    public function __construct(int $maxMessageBytes, int $maxFragments, int $level, int $minBytes) {}

    /**
     * Checks the head of the server's response, with its empty line (RFC 6455 4.1). To be called once.
     *
     * @param string $key the Sec-WebSocket-Key of the request
     * @param string $protocols the Sec-WebSocket-Protocol of the request
     * @param bool $deflate whether the request has offered compression
     * @return array{int, string, bool, string} the status, the chosen sub-protocol or '', whether messages may be compressed, and a
     *     sentence that says why there is no WebSocket, or ''
     */
    public function answer(string $head, string $key, string $protocols, bool $deflate): array {}

    /** Takes further bytes from the server. To be called only after next() has returned null. */
    public function feed(string $bytes): void {}

    /**
     * The next event as opcode, payload and close code. The opcode is 1 for text, 2 for binary, 8 for close (the payload is the reason), 9
     * for ping, 10 for pong, and -1 for an error (the payload is a sentence, and the code the one to close with).
     *
     * @return array{int, string, int}|null null: further bytes are needed
     */
    public function next(): ?array {}

    /**
     * The bytes of a frame.
     *
     * @param int $opcode 1 text, 2 binary, 9 ping, 10 pong
     * @throws \ValueError for another opcode, a text that is not UTF-8, and a payload too long for a control frame
     */
    public function frame(int $opcode, string $payload): string {}

    /**
     * The bytes of a close frame.
     *
     * @throws \ValueError when the code or the reason is not allowed
     */
    public function closeFrame(int $code, string $reason): string {}
}

/**
 * Names a process in shared memory, so that another one can tell whether it still runs. The kernel gives its number to another
 * process after a while; the identity also holds the time at which the process began. Not for applications: it may change with any
 * version.
 *
 * @strict-properties
 * @not-serializable
 */
final class ProcessIdentity
{
    private function __construct() {}

    /** The identity of this process. */
    public static function own(): string {}

    /** getmypid() without a system call. */
    public static function number(): int {}

    /** Whether the process with this identity exists: it runs, or is stopped by a signal. */
    public static function isAlive(string $identity): bool {}

    /** Kills the process with this identity, if it still exists: none of its code runs any more. */
    public static function kill(string $identity): bool {}
}

/**
 * This process as one of a pool's for tasks. Not for applications: it may change with any version.
 *
 * @strict-properties
 * @not-serializable
 */
final class PoolProcess
{
    private function __construct() {}

    /** The process has begun, and takes tasks from now on: a reload waits for this. To be called once. */
    public static function ready(): void {}
}

/**
 * What a worker tells of the checks of Server::readiness(), and what other workers have told. Not for applications: it may change with any
 * version.
 *
 * @strict-properties
 * @not-serializable
 */
final class Readiness
{
    private function __construct() {}

    /**
     * Tells what a check has found, for the admin listener.
     *
     * @param int $index the check's among all of the script, from 0
     * @param bool|null $ready null: nothing yet
     * @param float $seconds for how long this holds
     */
    public static function tell(int $index, string $name, ?bool $ready, string $reason, float $seconds): void {}

    /** For how many seconds what is known of a check holds; 0: nothing is known. */
    public static function holdsFor(int $index): float {}
}

/**
 * For the leak detector: state of a worker between requests that PHP code cannot see, or cannot see without changing it.
 *
 * @strict-properties
 * @not-serializable
 */
final class ProcessState
{
    /** @param object $server whose handlers belong to it */
    public function __construct(object $server) {}

    /**
     * Looks at all values that static properties, static variables, global variables, superglobals and the server's handlers lead to,
     * and says what has changed since the last call: a place, what was there, what is there, where code has written to it. The last is
     * `/a.php:3, /b.php:5`, or empty when that is unknown.
     *
     * @return list<array{string, string, string, string}>
     */
    public function changes(): array {}

    /** Whether the last call of changes() has looked at all values, and not stopped at 300,000. */
    public function isWhole(): bool {}

    /** Whether code is looked at as it writes. What was seen before is forgotten when this begins. */
    public static function recordWrites(bool $on): void {}

    /**
     * Where this request has called functions that change something: `the time zone`, `the setting precision`, `output buffers`, `descriptor /tmp/a`.
     * `/a.php:3, /b.php:5`, or empty when that is unknown.
     */
    public static function calledAt(string $subject): string {}

    /**
     * Open descriptors except connections of clients, each with its number in front: `/var/log/a.log`, `socket:[4711]`.
     *
     * @return list<string>
     */
    public static function descriptors(): array {}

    /**
     * Connections to databases with an open transaction, each by a number: the connection's class, and the call that has begun the transaction
     * if that call is known; and the last one that was rolled back as its handler had left it open.
     *
     * @return array<int, string>
     */
    public static function transactions(): array {}

    /**
     * How many objects of each class there are.
     *
     * @return array<class-string, int>
     */
    public static function objects(): array {}

    /** How many timers are active. */
    public static function timers(): int {}

    /** How many functions register_shutdown_function() was given. */
    public static function shutdownFunctions(): int {}

    /** How many coroutines have begun and not ended. */
    public static function coroutines(): int {}

    /** What each coroutine waits in, and where, on a line each. */
    public static function places(): string {}
}

/**
 * Warnings of layers that are written in PHP. Not for applications: it may change with any version.
 *
 * @strict-properties
 * @not-serializable
 */
final class Diagnostic
{
    private function __construct() {}

    /**
     * Raises an error as PHP's own functions do: at the line that has called them.
     *
     * @param int $level E_WARNING, E_NOTICE or E_DEPRECATED
     * @throws \ValueError for another level
     */
    public static function raise(int $level, string $message, string $file, int $line): void {}
}
