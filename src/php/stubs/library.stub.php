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

    /** Whether this runs in a coroutine's own Fiber, and not in one that the application has made inside of it. */
    public static function ownsFiber(): bool {}

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

    /**
     * Waits for wake(), or until something can be read from one of the streams or written to another; what PHP has in a buffer can be
     * read. Streams that are closed, and those without a descriptor, are passed over. Outside a coroutine it blocks, and a signal
     * ends it.
     *
     * @template R of array-key
     * @template W of array-key
     * @param array<R, resource> $read
     * @param array<W, resource> $write
     * @param float $seconds 0 to 1e9
     * @return array{list<R>, list<W>} the keys of those that are ready
     */
    public function waitForStreams(array $read, array $write, float $seconds): array {}
}

/**
 * A client's end of a WebSocket: bytes in and events out. Does no I/O. Its constants: DEFLATE_OFFER, which to send as
 * Sec-WebSocket-Extensions when messages may be compressed, and MAX_ANSWER_BYTES, the longest head for answer().
 *
 * @strict-properties
 * @not-serializable
 */
final class WebSocketEndpoint
{
    /**
     * @param int $maxMessageBytes of a compressed message: once inflated
     * @param int $maxFragments of one message
     * @param int $level 1 to 9
     * @param int $minBytes shorter messages are sent uncompressed
     */
    public function __construct(int $maxMessageBytes, int $maxFragments, int $level, int $minBytes) {}

    /**
     * Checks the head of the server's response (RFC 6455 section 4.1), with its empty line. Once.
     *
     * @param string $protocols as in Sec-WebSocket-Protocol
     * @return array{int, string, bool, string} status, the sub-protocol chosen or '', whether messages may be compressed, and a sentence that says why
     *     there is no WebSocket, or ''
     */
    public function answer(string $head, string $key, string $protocols, bool $deflate): array {}

    /** Further bytes of the server. Only when next() has said null. */
    public function feed(string $bytes): void {}

    /**
     * The next event: its opcode, payload and code. 1 text, 2 binary, 8 close (with its code, payload is the reason), 9 ping,
     * 10 pong, -1 error (with the code to close with; payload is a sentence).
     *
     * @return array{int, string, int}|null null: further bytes are needed
     */
    public function next(): ?array {}

    /**
     * The bytes of a frame: 1 text, 2 binary, 8 close, 9 ping, 10 pong.
     *
     * @throws \ValueError when $payload is no UTF-8 in a text, or too long for a control frame
     */
    public function frame(int $opcode, string $payload): string {}

    /**
     * The bytes of a close frame.
     *
     * @throws \ValueError when they are not allowed
     */
    public function closeFrame(int $code, string $reason): string {}
}

/**
 * Which process has left something in shared memory, and whether it is still there: a number is given to another process
 * after a while, the time at which that began is not.
 *
 * @strict-properties
 * @not-serializable
 */
final class ProcessIdentity
{
    private function __construct() {}

    /** Of this process. */
    public static function own(): string {}

    /** Whether the process of an identity runs, or has been stopped by a signal, and may run again. */
    public static function isAlive(string $identity): bool {}
}
