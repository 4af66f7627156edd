<?php

/** @generate-class-entries */

namespace Sluice\Http;

/**
 * Bounds of requests, for a site or a route. What is null a route has from its site, a site from the server's `Limits::$http`, and those have
 * the defaults. What is of a whole site a route may not have: it counts before anybody knows the route. Values out of range are
 * ValueErrors; docs/limits.md says what happens at each.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Longest body of a request; above it the answer is 413. 0 to 1,024 GiB, by default 16 MiB; without temporary files at most half
     * of `Limits::$arenaBytes`.
     */
    public readonly ?int $bodyBytes;
    /**
     * Bodies that are longer than this are received into an unlinked temporary file, in `Server`'s $temporaryFolder, instead of
     * memory. 64 KiB to 1 GiB, by default 4 MiB; it or `bodyBytes` is at most half of `Limits::$arenaBytes`.
     */
    public readonly ?int $bodyFileBytes;
    /**
     * Bytes of a body that arrives while its handler reads it, and that the handler has not read (`Bodies::Stream`); then its
     * client waits. Whatever this says, the kernel allows no more than twice its net.core.wmem_max. 64 KiB to 16 MiB, by default 128 KiB.
     */
    public readonly ?int $bodyStreamBytes;
    /** For the next bytes of a body. 0.001 to 1,000,000, by default 30. */
    public readonly ?float $bodySeconds;
    /**
     * The least rate for a body. A client may be behind it by what takes `bodySeconds`, then the answer is 408. 0 to 1 GiB, by default
     * 240; 0: there is none.
     */
    public readonly ?int $bodyBytesPerSecond;
    /** Most fields and files in one form; above it `Request::form()` and the like throw `BadRequest`. 1 to 100,000, by default 1,000. */
    public readonly ?int $formFields;
    /** Names and values of a form, its files aside; above it they throw `BadRequest`. 1 KiB to 1 GiB, by default 16 MiB. */
    public readonly ?int $formBytes;
    /** Longest head of one part of a multipart form; above it they throw `BadRequest`. 256 to 65,536, by default 8 KiB. */
    public readonly ?int $partHeadBytes;
    /**
     * For a response to begin, from its request's being handed to a worker, and, with a body that is read as it arrives, from when some
     * of that was taken last. Then the client gets 504, and the handler is cancelled where it waits. A response that has begun may take any
     * time. 0 to 1,000,000, by default 60; 0: for ever, for handlers that wait for something to happen (long polling).
     */
    public readonly ?float $requestSeconds;
    /** Longest head of a request; above it the answer is 431. Of a whole site. 256 to 65,535, by default 16 KiB. */
    public readonly ?int $headBytes;
    /** Most header fields in a request; above it the answer is 431. Of a whole site. 1 to 1,000, by default 100. */
    public readonly ?int $headerFields;
    /**
     * For a request head to be complete, from its first byte (from the accept or the handshake for the first one). Of a whole site. 0.001 to
     * 1,000,000, by default 10.
     */
    public readonly ?float $headSeconds;
    /** For the next request on a kept-alive connection. Of a whole site. 0.001 to 1,000,000, by default 75. */
    public readonly ?float $keepAliveSeconds;
    /**
     * Requests on one connection of HTTP/1.1; the answer to the last one closes it. Of a whole site. 1 to 1,000,000,000, by default
     * 10,000.
     */
    public readonly ?int $keepAliveRequests;
    /** Bytes that may wait for one client. Of a whole site. 64 KiB to 4 GiB, by default as many as the server's `Limits` have. */
    public readonly ?int $queuedBytes;
    /** Who can wait does when more would wait for a client. Of a whole site. 1 KiB to 4 GiB, by default as many as the server's `Limits` have. */
    public readonly ?int $highWaterBytes;
    /** They go on when no more than this waits. Of a whole site. 0 to 4 GiB, at most `highWaterBytes`; by default as many as the server's `Limits` have. */
    public readonly ?int $lowWaterBytes;
    /** For a client to take any byte that waits for it. Of a whole site. 0.001 to 1,000,000, by default as many as the server's `Limits` have. */
    public readonly ?float $writeSeconds;
    /**
     * The least rate at which a client takes what waits for it. Of a whole site. 0 to 1 GiB, by default as many as the server's `Limits` have; 0: there is
     * none.
     */
    public readonly ?int $writeBytesPerSecond;

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
 * Bounds of connections that speak HTTP/2, for a site. What is null it has from the server's `Limits::$http2`, and those have the defaults. Values out of range are ValueErrors; docs/limits.md says what happens at each.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /** Requests and WebSockets that one connection may have at once; a further one is refused. 1 to 10,000, by default 128. */
    public readonly ?int $concurrentStreams;
    /**
     * Streams that a client may reset, or have the server reset, within 10 seconds; then its connection is ended with
     * ENHANCE_YOUR_CALM. 1 to 1,000,000, by default 200.
     */
    public readonly ?int $streamResets;
    /** PING frames within 10 seconds. 1 to 1,000,000, by default 100. */
    public readonly ?int $pings;
    /** SETTINGS frames within 10 seconds. 1 to 1,000,000, by default 100. */
    public readonly ?int $settingsFrames;
    /** Frames without a use within 10 seconds: DATA without a byte, PRIORITY, unknown ones. 1 to 1,000,000, by default 200. */
    public readonly ?int $emptyFrames;
    /** CONTINUATION frames of one head. 1 to 7, by default 7, which is as much as nghttp2 takes. */
    public readonly ?int $continuations;

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
 * Bounds of WebSockets, for a route. What is null it has from the server's `Limits::$webSocket`, and those have the defaults. Values out of range are ValueErrors; docs/limits.md says what happens at each.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Longest message; a longer one closes the connection with 1009. 1 byte to 1 GiB, by default 16 MiB, and at most half of
     * `Limits::$arenaBytes`.
     */
    public readonly ?int $messageBytes;
    /** Frames of one message; above it the connection is closed with 1008. 1 to 1,000,000, by default 1,024. */
    public readonly ?int $messageFragments;
    /** For the next bytes of a half-received message. 0.001 to 1,000,000, by default 30. */
    public readonly ?float $messageSeconds;
    /**
     * The least rate for a message that has begun; above 0, whoever is behind by what takes `messageSeconds` is cut off. 0 to 1 GiB, by
     * default 240; 0: there is none.
     */
    public readonly ?int $messageBytesPerSecond;
    /** For the handler of a handshake to decide; then the answer is 503. 0.001 to 1,000,000, by default 10. */
    public readonly ?float $handshakeSeconds;
    /** For any byte to or from a connection. 0 to 1,000,000; 0, the default: for ever. */
    public readonly ?float $idleSeconds;
    /** For the close handshake. 0.001 to 1,000,000, by default 5. */
    public readonly ?float $closeSeconds;
    /** Topics and prefixes that one WebSocket has subscribed to; a further `subscribe()` is `Dropped`. 1 to 65,535, by default 1,000. */
    public readonly ?int $subscriptions;
    /** Bytes that may wait for one client. 64 KiB to 4 GiB, by default as many as the server's `Limits` have. */
    public readonly ?int $queuedBytes;
    /** Who can wait does when more would wait for a client. 1 KiB to 4 GiB, by default as many as the server's `Limits` have. */
    public readonly ?int $highWaterBytes;
    /** They go on when no more than this waits. 0 to 4 GiB, at most `highWaterBytes`; by default as many as the server's `Limits` have. */
    public readonly ?int $lowWaterBytes;
    /** For a client to take any byte that waits for it. 0.001 to 1,000,000, by default as many as the server's `Limits` have. */
    public readonly ?float $writeSeconds;
    /**
     * The least rate at which a client takes what waits for it. 0 to 1 GiB, by default as many as the server's `Limits` have; 0: there is
     * none.
     */
    public readonly ?int $writeBytesPerSecond;

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
 * Bounds of TCP connections, for a listener. What is null it has from the server's `Limits::$tcp`, and those have the defaults. Values out of range are ValueErrors; docs/limits.md says what happens at each.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Longest message, whatever a `Framing` says; a longer one closes the connection. 1 byte to 1 GiB, by default as long as those of
     * WebSockets, and at most half of `Limits::$arenaBytes`.
     */
    public readonly ?int $messageBytes;
    /** For the next bytes of a half-received message. 0.001 to 1,000,000, by default 30. */
    public readonly ?float $messageSeconds;
    /**
     * The least rate for a message that has begun; above 0, whoever is behind by what takes `messageSeconds` is cut off. 0 to 1 GiB, by
     * default 240; 0: there is none.
     */
    public readonly ?int $messageBytesPerSecond;
    /** For any byte to or from a connection. 0 to 1,000,000; 0, the default: for ever. */
    public readonly ?float $idleSeconds;
    /** Bytes that may wait for one client. 64 KiB to 4 GiB, by default as many as the server's `Limits` have. */
    public readonly ?int $queuedBytes;
    /** Who can wait does when more would wait for a client. 1 KiB to 4 GiB, by default as many as the server's `Limits` have. */
    public readonly ?int $highWaterBytes;
    /** They go on when no more than this waits. 0 to 4 GiB, at most `highWaterBytes`; by default as many as the server's `Limits` have. */
    public readonly ?int $lowWaterBytes;
    /** For a client to take any byte that waits for it. 0.001 to 1,000,000, by default as many as the server's `Limits` have. */
    public readonly ?float $writeSeconds;
    /**
     * The least rate at which a client takes what waits for it. 0 to 1 GiB, by default as many as the server's `Limits` have; 0: there is
     * none.
     */
    public readonly ?int $writeBytesPerSecond;

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
 * Bounds of UDP, for a listener. What is null it has from the server's `Limits::$udp`, and that has the defaults. Values out of range are ValueErrors; docs/limits.md says what happens at each.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Datagrams that workers have not finished with, all reactors together; further ones are dropped, and so is what would
     * fill more than half of `Limits::$arenaBytes`. 1 to 1,000,000, by default 4,096.
     */
    public readonly ?int $datagrams;

    public function __construct(
        ?int $datagrams = null,
    ) {}
}
