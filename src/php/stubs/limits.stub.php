<?php

/** @generate-class-entries */

namespace Sluice\Http;

/**
 * Bounds of HTTP requests, for a site or a route. A property that is null is, for a route, the one of its site, and for a site, the
 * one of the server's `\Sluice\Limits::$http`, where null is the default named here. A bound that applies before the route of a
 * request is known is for sites only. docs/limits.md says what happens at each bound.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Longest body of a request; above it the answer is 413. 0 to 1,024 GiB, by default 16 MiB. Without temporary files at most half
     * of `\Sluice\Limits::$arenaBytes`.
     */
    public readonly ?int $bodyBytes;
    /**
     * Longer bodies are received into an unlinked temporary file in the server's $temporaryFolder, and not into memory. 64 KiB to
     * 1 GiB, by default 4 MiB. The smaller of this and `$bodyBytes` is at most half of `\Sluice\Limits::$arenaBytes`.
     */
    public readonly ?int $bodyFileBytes;
    /**
     * With `Bodies::Stream`: bytes of a body that have arrived and that the handler has not read; then the client is not read from.
     * The kernel allows twice its net.core.wmem_max at most. 64 KiB to 16 MiB, by default 128 KiB.
     */
    public readonly ?int $bodyStreamBytes;
    /** For the next bytes of a body to arrive; then the answer is 408. 0.001 to 1,000,000 seconds, by default 30. */
    public readonly ?float $bodySeconds;
    /**
     * The least rate at which a body arrives. A client that is behind by what this rate gives in `$bodySeconds` gets 408. 0 to
     * 1 GiB, by default 240; 0: no least rate.
     */
    public readonly ?int $bodyBytesPerSecond;
    /** Fields and files in one form; above it form(), formAll() and files() of Request throw BadRequest. 1 to 100,000, by default 1,000. */
    public readonly ?int $formFields;
    /**
     * Names and values of one form, without its files; above it form(), formAll() and files() of Request throw BadRequest. 1 KiB to
     * 1 GiB, by default 16 MiB.
     */
    public readonly ?int $formBytes;
    /**
     * Longest head of one part of a multipart form; above it form(), formAll() and files() of Request throw BadRequest. 256 to
     * 65,536, by default 8 KiB.
     */
    public readonly ?int $partHeadBytes;
    /**
     * For a response to begin, since its request was handed to a worker, and, with a body that is read as it arrives, since some of
     * the body was last taken. Then the client gets 504, and the handler is cancelled where it waits. A response that has begun may
     * take any time. 0 to 1,000,000 seconds, by default 60; 0: no limit, for handlers that wait for an event (long polling).
     */
    public readonly ?float $requestSeconds;
    /** Longest head of a request; above it the answer is 431. For sites only. 256 to 65,535, by default 16 KiB. */
    public readonly ?int $headBytes;
    /** Header fields in a request; above it the answer is 431. For sites only. 1 to 1,000, by default 100. */
    public readonly ?int $headerFields;
    /**
     * For the head of a request to be complete, since its first byte; for the first request, since the accept or the TLS handshake.
     * Then the answer is 408, or without a first byte the connection is closed. For sites only. 0.001 to 1,000,000 seconds, by
     * default 10.
     */
    public readonly ?float $headSeconds;
    /**
     * For the next request on a persistent connection; then it is closed. For sites only. 0.001 to 1,000,000 seconds, by default 75.
     */
    public readonly ?float $keepAliveSeconds;
    /**
     * Requests on one HTTP/1.1 connection; it is closed after the response to the last one. For sites only. 1 to 1,000,000,000, by
     * default 10,000.
     */
    public readonly ?int $keepAliveRequests;
    /**
     * Bytes that may wait for one client; an HTTP/2 connection above it takes no further request. For sites only. 64 KiB to 4 GiB, by
     * default the server's `\Sluice\Limits::$queuedBytes`.
     */
    public readonly ?int $queuedBytes;
    /**
     * High-water mark: when more bytes would wait for a client, `Response::write()` suspends its coroutine. For sites only. 1 KiB to
     * 4 GiB, by default the server's `\Sluice\Limits::$highWaterBytes`.
     */
    public readonly ?int $highWaterBytes;
    /**
     * Low-water mark: coroutines that `$highWaterBytes` has suspended go on when no more bytes than this wait for the client.
     * For sites only. 0 to 4 GiB, at most `$highWaterBytes`, by default the server's `\Sluice\Limits::$lowWaterBytes`.
     */
    public readonly ?int $lowWaterBytes;
    /**
     * How long a client may take no byte of those that wait for it; then its connection is closed. For sites only. 0.001 to
     * 1,000,000 seconds, by default the server's `\Sluice\Limits::$writeSeconds`.
     */
    public readonly ?float $writeSeconds;
    /**
     * The least rate at which a client takes the bytes that wait for it. The connection of a client that is behind by what this
     * rate gives in `$writeSeconds` is closed. For sites only. 0 to 1 GiB, by default the server's
     * `\Sluice\Limits::$writeBytesPerSecond`; 0: no least rate.
     */
    public readonly ?int $writeBytesPerSecond;

    /** @throws \ValueError for a value that is out of range */
    public function __construct(
        ?int $bodyBytes = null,
        ?int $bodyFileBytes = null,
        ?int $bodyStreamBytes = null,
        ?float $bodySeconds = null,
        ?int $bodyBytesPerSecond = null,
        ?int $formFields = null,
        ?int $formBytes = null,
        ?int $partHeadBytes = null,
        ?float $requestSeconds = null,
        ?int $headBytes = null,
        ?int $headerFields = null,
        ?float $headSeconds = null,
        ?float $keepAliveSeconds = null,
        ?int $keepAliveRequests = null,
        ?int $queuedBytes = null,
        ?int $highWaterBytes = null,
        ?int $lowWaterBytes = null,
        ?float $writeSeconds = null,
        ?int $writeBytesPerSecond = null,
    ) {}
}

namespace Sluice\Http2;

/**
 * Bounds of HTTP/2 connections (RFC 9113), for a site. A property that is null is the one of the server's `\Sluice\Limits::$http2`,
 * where null is the default named here. docs/limits.md says what happens at each bound.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /** Requests and WebSockets of one connection at a time; a further stream is refused (REFUSED_STREAM). 1 to 10,000, by default 128. */
    public readonly ?int $concurrentStreams;
    /**
     * Streams of one connection that the client resets, or that the client's errors make the server reset, within 10 seconds. Above
     * it the connection ends with ENHANCE_YOUR_CALM. 1 to 1,000,000, by default 200.
     */
    public readonly ?int $streamResets;
    /**
     * PING frames of one connection within 10 seconds; above it the connection ends with ENHANCE_YOUR_CALM. 1 to 1,000,000, by
     * default 100.
     */
    public readonly ?int $pings;
    /**
     * SETTINGS frames of one connection within 10 seconds; above it the connection ends with ENHANCE_YOUR_CALM. 1 to 1,000,000, by
     * default 100.
     */
    public readonly ?int $settingsFrames;
    /**
     * Frames without effect (empty DATA, PRIORITY, unknown types) of one connection within 10 seconds; above it the connection ends
     * with ENHANCE_YOUR_CALM. 1 to 1,000,000, by default 200.
     */
    public readonly ?int $emptyFrames;
    /**
     * CONTINUATION frames of one head; above it the connection ends with ENHANCE_YOUR_CALM. 1 to 7, by default 7, the most that
     * nghttp2 accepts.
     */
    public readonly ?int $continuations;

    /** @throws \ValueError for a value that is out of range */
    public function __construct(
        ?int $concurrentStreams = null,
        ?int $streamResets = null,
        ?int $pings = null,
        ?int $settingsFrames = null,
        ?int $emptyFrames = null,
        ?int $continuations = null,
    ) {}
}

namespace Sluice\WebSocket;

/**
 * Bounds of WebSockets, for a route. A property that is null is the one of the server's `\Sluice\Limits::$webSocket`, where null is
 * the default named here. docs/limits.md says what happens at each bound.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Longest message; a longer one closes the connection with 1009. 1 byte to 1 GiB, at most half of
     * `\Sluice\Limits::$arenaBytes`, by default 16 MiB.
     */
    public readonly ?int $messageBytes;
    /** Frames of one message; above it the connection is closed with 1008. 1 to 1,000,000, by default 1,024. */
    public readonly ?int $messageFragments;
    /**
     * For the next bytes of a message that has begun; then the connection is closed with 1008. 0.001 to 1,000,000 seconds, by
     * default 30.
     */
    public readonly ?float $messageSeconds;
    /**
     * The least rate at which a message arrives. The connection of a client that is behind by what this rate gives in
     * `$messageSeconds` is closed with 1008. 0 to 1 GiB, by default 240; 0: no least rate.
     */
    public readonly ?int $messageBytesPerSecond;
    /** For the handler of a handshake to decide; then the answer is 503. 0.001 to 1,000,000 seconds, by default 10. */
    public readonly ?float $handshakeSeconds;
    /**
     * For any byte in either direction; then the connection is closed with 1008. 0 to 1,000,000 seconds; 0, the default: no limit.
     */
    public readonly ?float $idleSeconds;
    /** For the client's close frame (RFC 6455 7.1); then the connection is closed. 0.001 to 1,000,000 seconds, by default 5. */
    public readonly ?float $closeSeconds;
    /** Topics and prefixes that one WebSocket subscribes to; a further `subscribe()` is `Dropped`. 1 to 65,535, by default 1,000. */
    public readonly ?int $subscriptions;
    /**
     * Bytes that may wait for one client; above it `\Sluice\SlowClient` decides. 64 KiB to 4 GiB, by default the server's
     * `\Sluice\Limits::$queuedBytes`.
     */
    public readonly ?int $queuedBytes;
    /**
     * High-water mark: when more bytes would wait for a client, sends with `\Sluice\SlowClient::Wait` suspend their coroutine. 1 KiB
     * to 4 GiB, by default the server's `\Sluice\Limits::$highWaterBytes`.
     */
    public readonly ?int $highWaterBytes;
    /**
     * Low-water mark: coroutines that `$highWaterBytes` has suspended go on when no more bytes than this wait for the client.
     * 0 to 4 GiB, at most `$highWaterBytes`, by default the server's `\Sluice\Limits::$lowWaterBytes`.
     */
    public readonly ?int $lowWaterBytes;
    /**
     * How long a client may take no byte of those that wait for it; then its connection is closed. 0.001 to
     * 1,000,000 seconds, by default the server's `\Sluice\Limits::$writeSeconds`.
     */
    public readonly ?float $writeSeconds;
    /**
     * The least rate at which a client takes the bytes that wait for it. The connection of a client that is behind by what this
     * rate gives in `$writeSeconds` is closed. 0 to 1 GiB, by default the server's
     * `\Sluice\Limits::$writeBytesPerSecond`; 0: no least rate.
     */
    public readonly ?int $writeBytesPerSecond;

    /** @throws \ValueError for a value that is out of range */
    public function __construct(
        ?int $messageBytes = null,
        ?int $messageFragments = null,
        ?float $messageSeconds = null,
        ?int $messageBytesPerSecond = null,
        ?float $handshakeSeconds = null,
        ?float $idleSeconds = null,
        ?float $closeSeconds = null,
        ?int $subscriptions = null,
        ?int $queuedBytes = null,
        ?int $highWaterBytes = null,
        ?int $lowWaterBytes = null,
        ?float $writeSeconds = null,
        ?int $writeBytesPerSecond = null,
    ) {}
}

namespace Sluice\Tcp;

/**
 * Bounds of TCP connections, for a listener. A property that is null is the one of the server's `\Sluice\Limits::$tcp`, where null is
 * the default named here. docs/limits.md says what happens at each bound.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Longest message, even if the `Framing` allows more; a longer one closes the connection. 1 byte to 1 GiB, at most half of
     * `\Sluice\Limits::$arenaBytes`, by default as long as the server's `\Sluice\WebSocket\Limits::$messageBytes`.
     */
    public readonly ?int $messageBytes;
    /**
     * For the next bytes of a message that has begun; then the connection is closed. 0.001 to 1,000,000 seconds, by
     * default 30.
     */
    public readonly ?float $messageSeconds;
    /**
     * The least rate at which a message arrives. The connection of a client that is behind by what this rate gives in
     * `$messageSeconds` is closed. 0 to 1 GiB, by default 240; 0: no least rate.
     */
    public readonly ?int $messageBytesPerSecond;
    /**
     * For any byte in either direction; then the connection is closed. 0 to 1,000,000 seconds; 0, the default: no limit.
     */
    public readonly ?float $idleSeconds;
    /**
     * Bytes that may wait for one client; above it `\Sluice\SlowClient` decides. 64 KiB to 4 GiB, by default the server's
     * `\Sluice\Limits::$queuedBytes`.
     */
    public readonly ?int $queuedBytes;
    /**
     * High-water mark: when more bytes would wait for a client, sends with `\Sluice\SlowClient::Wait` suspend their coroutine. 1 KiB
     * to 4 GiB, by default the server's `\Sluice\Limits::$highWaterBytes`.
     */
    public readonly ?int $highWaterBytes;
    /**
     * Low-water mark: coroutines that `$highWaterBytes` has suspended go on when no more bytes than this wait for the client.
     * 0 to 4 GiB, at most `$highWaterBytes`, by default the server's `\Sluice\Limits::$lowWaterBytes`.
     */
    public readonly ?int $lowWaterBytes;
    /**
     * How long a client may take no byte of those that wait for it; then its connection is closed. 0.001 to
     * 1,000,000 seconds, by default the server's `\Sluice\Limits::$writeSeconds`.
     */
    public readonly ?float $writeSeconds;
    /**
     * The least rate at which a client takes the bytes that wait for it. The connection of a client that is behind by what this
     * rate gives in `$writeSeconds` is closed. 0 to 1 GiB, by default the server's
     * `\Sluice\Limits::$writeBytesPerSecond`; 0: no least rate.
     */
    public readonly ?int $writeBytesPerSecond;

    /** @throws \ValueError for a value that is out of range */
    public function __construct(
        ?int $messageBytes = null,
        ?float $messageSeconds = null,
        ?int $messageBytesPerSecond = null,
        ?float $idleSeconds = null,
        ?int $queuedBytes = null,
        ?int $highWaterBytes = null,
        ?int $lowWaterBytes = null,
        ?float $writeSeconds = null,
        ?int $writeBytesPerSecond = null,
    ) {}
}

namespace Sluice\Udp;

/**
 * Bounds of UDP, for a listener. A property that is null is the one of the server's `\Sluice\Limits::$udp`, where null is the default
 * named here. docs/limits.md says what happens at each bound.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Datagrams that workers have not finished with, all reactors together; a further datagram is dropped. So is one with which
     * datagrams would fill more than half of `\Sluice\Limits::$arenaBytes`. 1 to 1,000,000, by default 4,096.
     */
    public readonly ?int $datagrams;

    /** @throws \ValueError for a value that is out of range */
    public function __construct(
        ?int $datagrams = null,
    ) {}
}
