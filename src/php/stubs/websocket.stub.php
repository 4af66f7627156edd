<?php

/** @generate-class-entries */

namespace Sluice\WebSocket;

interface Handler
{
    public function open(Connection $who, \Sluice\Http\Request $request): void;
    public function message(Connection $who, string $data, bool $binary): void;
    /** @param int $code 1005: none was given, 1006: the connection broke */
    public function close(Connection $who, int $code, string $reason): void;
}

/** A handler that is also told of each answer to a ping, sent by ping() or by a Heartbeat. */
interface PongHandler extends Handler
{
    /** @param string $data what the ping carried; a heartbeat's is of no meaning */
    public function pong(Connection $who, float $roundTripSeconds, string $data): void;
}

/**
 * Pings that the server sends by itself, and what it does without an answer: when nothing has come from the client
 * for the given time after a ping, the connection is closed with 1011, and the handler is told 1006.
 *
 * @strict-properties
 * @not-serializable
 */
final class Heartbeat
{
    /** From one ping to the next. 0.001 to 1,000,000. */
    public readonly float $everySeconds;
    /** For anything to come from the client after a ping. 0.001 to 1,000,000. */
    public readonly float $timeoutSeconds;

    public function __construct(float $everySeconds = 30.0, float $timeoutSeconds = 10.0) {}
}

/**
 * From which pages a browser may open a WebSocket (RFC 6455 section 10.2): browsers send cookies along whatever page asks.
 * Others are answered with 403. Clients that are no browsers can claim any origin, so this does not replace authentication.
 *
 * @strict-properties
 * @not-serializable
 */
final class Origins
{
    /**
     * @param list<string> $allowed `https://example.com`, with its port where it is not the scheme's own;
     *     `https://*.example.com` for all sub-domains, but not for `example.com` itself; `null` for sandboxed pages
     * @param bool $sameOrigin allow the origin that the request is for: its Host, with https when it came over TLS
     * @param bool $withoutOrigin allow requests without Origin, which no browser sends
     */
    public function __construct(array $allowed = [], bool $sameOrigin = true, bool $withoutOrigin = true) {}

    /**
     * Decides as the server does, for a handler that wants to do it itself.
     *
     * @param bool $secure the request came over TLS
     */
    public function allows(?string $origin, string $host, bool $secure = false): bool {}
}

/**
 * How a route of WebSockets treats its clients.
 *
 * @strict-properties
 * @not-serializable
 */
final class Options
{
    /**
     * Sub-protocols, the most wanted first: the first that a client offers is agreed on; a client that offers none of them is
     * accepted without one. Tokens, at most 64.
     *
     * @var list<string>
     */
    public readonly array $protocols;
    /** Which pages may open a WebSocket; null: all. */
    public readonly ?Origins $origins;
    /** null: messages are not compressed, whatever clients offer. */
    public readonly ?Compression $compression;
    /** null: the server sends no pings of its own. */
    public readonly ?Heartbeat $heartbeat;
    /**
     * What send(), sendMany() and publish() do when a client does not read. Not `DropOldest` with a compression that has
     * $serverTakeover: what is dropped would be missing in its window.
     */
    public readonly \Sluice\SlowClient $slowClient;

    /**
     * @param list<string> $protocols
     * @throws \ValueError
     */
    public function __construct(
        array $protocols = [],
        ?Origins $origins = null,
        ?Compression $compression = null,
        ?Heartbeat $heartbeat = null,
        \Sluice\SlowClient $slowClient = \Sluice\SlowClient::DropNewest,
    ) {}
}

/**
 * A handshake that waits for its handler: accepted when the handler returns, unless that has called refuse(). The
 * handler may wait for others (a database, another server); the client is answered when it is done, and with 503 after
 * Limits::$handshakeSeconds. When it throws, the client gets 500.
 *
 * @strict-properties
 * @not-serializable
 */
final class Handshake
{
    public readonly \Sluice\Http\Request $request;

    private function __construct() {}

    /**
     * The sub-protocols that the client offers, the most wanted first.
     *
     * @return list<string>
     */
    public function protocols(): array {}
    /**
     * Chooses a sub-protocol; otherwise the first of the route's list that the client offers is chosen.
     *
     * @throws \ValueError when it is not in the route's list, or the client does not offer it
     */
    public function protocol(string $name): static {}
    /**
     * Attaches data to the connection if the handshake is accepted, instead of what was attached before: who the client is, say.
     * `Connection::data()` gives it to every worker, for as long as the connection lives: through reloads and the deaths of
     * workers. Without room for it the client gets 503; see \Sluice\Limits::$attachedTotalBytes.
     *
     * @param string $data up to \Sluice\Limits::$attachedBytes, by default 4 KiB
     * @throws \ValueError when it is longer
     */
    public function attach(string $data): static {}
    /**
     * Adds a field to the response, whichever it will be.
     *
     * @throws \ValueError as Http\Response::header()
     */
    public function header(string $name, string $value): static {}
    /**
     * Answers with this status instead of 101. The body is `text/plain; charset=utf-8` unless there is a content-type.
     *
     * @param int $status 300 to 599
     */
    public function refuse(int $status = 403, string $body = ''): void {}
    public function isRefused(): bool {}
}

/**
 * Compression of messages (permessage-deflate, RFC 7692), for clients that offer it. Both ways the defaults keep nothing
 * between messages, so that an idle connection costs no memory. Do not compress what holds a secret together with
 * text that an attacker can choose: the length tells him about it.
 *
 * @strict-properties
 * @not-serializable
 */
final class Compression
{
    /**
     * Whether messages to a client may refer to earlier ones of its connection: smaller, mostly so for small messages that
     * resemble each other, for 4 * 2 ^ $serverWindowBits + 136 KiB of memory for each connection. Only where the client
     * and \Sluice\Limits::$compressionBytes allow it.
     */
    public readonly bool $serverTakeover;
    /**
     * Whether messages from a client may refer to earlier ones of its connection, for 2 ^ $clientWindowBits bytes + 11 KiB of memory
     * for each connection.
     */
    public readonly bool $clientTakeover;
    /** The window for messages to a client is 2 to the power of this, in bytes. 9 to 15. */
    public readonly int $serverWindowBits;
    /** The largest window a client may use, if it is one that can be told; others use 15. 9 to 15. */
    public readonly int $clientWindowBits;
    /** 1 (fastest) to 9 (smallest). The reactor compresses, and serves nobody else meanwhile. */
    public readonly int $level;
    /** Shorter messages are sent as they are, in bytes; so are those that would not become smaller. 0 to 1 GiB. */
    public readonly int $minBytes;

    public function __construct(
        bool $serverTakeover = false,
        bool $clientTakeover = false,
        int $serverWindowBits = 15,
        int $clientWindowBits = 15,
        int $level = 1,
        int $minBytes = 256,
    ) {}
}

/**
 * A WebSocket client. A small value: keep it, or its id, anywhere; each worker can send to it. Once closed it answers
 * `Closed` for ever, for an id is never given to another client.
 *
 * @strict-properties
 * @not-serializable
 */
final class Connection
{
    public readonly int $id;

    private function __construct() {}

    public static function fromId(int $id): Connection {}

    /** @throws \ValueError when $binary is false and $data is not UTF-8 */
    public function send(string $data, bool $binary = false): \Sluice\Delivery {}

    /**
     * One payload to many connections: it crosses to the reactor once and is framed once.
     *
     * @param list<int> $ids
     * @return array<int, \Sluice\Delivery> those that will not get it: `Closed` or `Dropped`
     */
    public static function sendMany(array $ids, string $data, bool $binary = false): array {}

    /** @param string $data up to 125 bytes */
    public function ping(string $data = ''): \Sluice\Delivery {}
    /** How long the last ping, by ping() or by a Heartbeat, took to be answered; null when none was. */
    public function roundTripSeconds(): ?float {}
    /**
     * What a parameter of the route stands for in the path that the client came by, decoded; see `Http\Request::parameter()`. In
     * close() it is known, too; later, once other connections have come, it is ''.
     *
     * @throws \ValueError when the route has no parameter of that name
     */
    public function parameter(string $name): string {}
    /**
     * All parameters of the route, decoded.
     *
     * @return array<string, string>
     */
    public function parameters(): array {}
    /** The sub-protocol that was agreed on in the handshake, or ''. */
    public function protocol(): string {}

    /**
     * Starts the close handshake.
     *
     * @param int $code 1000 to 1003, 1007 to 1009, 1011 to 1014, 3000 to 4999
     * @param string $reason up to 123 bytes of UTF-8
     */
    public function close(int $code = 1000, string $reason = ''): \Sluice\Delivery {}

    /**
     * From here on messages published to the topic come to this client, each once, those of one publisher in their order.
     *
     * @param string $topic 1 to 255 bytes
     * @return \Sluice\Delivery `Sent`; `Dropped`: it has `Limits::$subscriptions` already, or there is no room for another (`\Sluice\Limits::$subscriptionBytes`);
     *     `Closed`
     */
    public function subscribe(string $topic): \Sluice\Delivery {}
    public function unsubscribe(string $topic): \Sluice\Delivery {}
    /**
     * Subscribes to all topics whose names begin with the prefix: `subscribePrefix('room/')` is for `room/1` and `room/2/typing`. A
     * message that matches several subscriptions of a client comes once.
     *
     * @param string $prefix 0 to 255 bytes; '' is all topics
     */
    public function subscribePrefix(string $prefix): \Sluice\Delivery {}
    public function unsubscribePrefix(string $prefix): \Sluice\Delivery {}
    /**
     * What it has subscribed to, asked of its reactor while the coroutine waits; nothing once it is closed.
     *
     * @param float $timeoutSeconds as for Server::subscribers()
     * @return list<string> in no order
     * @throws \Sluice\Coroutine\TimeoutException when there is no answer by then
     * @throws \Sluice\Coroutine\CancelledError
     */
    public function topics(float $timeoutSeconds = 5.0): array {}
    /**
     * The prefixes that it has subscribed to, asked of its reactor while the coroutine waits; none once it is closed.
     *
     * @param float $timeoutSeconds as for Server::subscribers()
     * @return list<string>
     */
    public function prefixes(float $timeoutSeconds = 5.0): array {}
    /**
     * Sends to every subscriber of the topic, this connection included if it is one, unless $exceptSelf. One that is behind is
     * dealt with as its route's SlowClient says; nobody waits for it: with `Wait`, it misses this message.
     */
    public function publish(string $topic, string $data, bool $binary = false, bool $exceptSelf = false): void {}

    /**
     * Attaches data to the connection, instead of what was attached before, and waits until the server has it: from then on data() gives it to
     * every worker, for as long as the connection lives: through reloads and the deaths of workers.
     *
     * @param string $data up to \Sluice\Limits::$attachedBytes, by default 4 KiB; '' attaches nothing any more
     * @param float $timeoutSeconds 0 to 1e9; as for Server::subscribers()
     * @return \Sluice\Delivery `Sent`; `Dropped`: there is no room (\Sluice\Limits::$attachedTotalBytes), and what was attached stays; `Closed`
     * @throws \ValueError when it is longer
     * @throws \Sluice\Coroutine\TimeoutException when there is no answer by then
     * @throws \Sluice\Coroutine\CancelledError
     */
    public function attach(string $data, float $timeoutSeconds = 5.0): \Sluice\Delivery {}
    /** What is attached, by Handshake::attach() or attach(); '' when nothing is. In close() it is known, too; later it is ''. */
    public function data(): string {}

    public function isOpen(): bool {}
    /** Bytes that wait for this client to read them. */
    public function queuedBytes(): int {}
    /** The client's address and port, or '' when it is closed. */
    public function peer(): string {}
}
