<?php

/** @generate-class-entries */

namespace Sluice\WebSocket;

/** Handles the events of WebSockets; an object in place of a callable. */
interface Handler
{
    /** A client has been accepted; `$request` is its handshake. Called before its first message, and once: not again after a reload. */
    public function open(Connection $who, \Sluice\Http\Request $request): void;
    /** A message has arrived. `$data` of a text message (`$binary` is false) is valid UTF-8. */
    public function message(Connection $who, string $data, bool $binary): void;
    /**
     * The connection is closed. Called once, after its last message.
     *
     * @param int $code of the close frame (RFC 6455 7.4.1); 1005: the frame had none; 1006: there was no close frame
     */
    public function close(Connection $who, int $code, string $reason): void;
}

/** A handler that is also called with each pong: the client's answer to a ping of `Connection::ping()` or of a Heartbeat. */
interface PongHandler extends Handler
{
    /**
     * A pong has arrived.
     *
     * @param float $roundTripSeconds from the ping to the pong
     * @param string $data the data of the ping; ignore a heartbeat's
     */
    public function pong(Connection $who, float $roundTripSeconds, string $data): void;
}

/**
 * Pings that the server sends by itself (RFC 6455 5.5.2). When nothing arrives from the client within `$timeoutSeconds` after a
 * ping, the connection is closed with 1011, and the handler's close() gets the code 1006.
 *
 * @strict-properties
 * @not-serializable
 */
final class Heartbeat
{
    /** From one ping to the next. 0.001 to 1,000,000 seconds, by default 30. */
    public readonly float $everySeconds;
    /** For anything to arrive from the client after a ping. 0.001 to 1,000,000 seconds, by default 10. */
    public readonly float $timeoutSeconds;

    /** @throws \ValueError for a value that is out of range */
    public function __construct(float $everySeconds = 30.0, float $timeoutSeconds = 10.0) {}
}

/**
 * The origins whose pages may open a WebSocket (RFC 6455 10.2). Other origins are answered with 403. Without this check any web
 * page can open a WebSocket with the user's cookies. It does not replace authentication: a client that is not a browser can claim
 * any origin.
 *
 * @strict-properties
 * @not-serializable
 */
final class Origins
{
    /**
     * @param list<string> $allowed origins such as `https://example.com`, with the port unless it is the scheme's default;
     *     `https://*.example.com` for all sub-domains, but not `example.com` itself; `null` for sandboxed pages
     * @param bool $sameOrigin allow the request's own origin: its Host, with https when it came over TLS
     * @param bool $withoutOrigin allow requests without an Origin field, which browsers never send
     * @throws \ValueError when $allowed holds something that is not an origin
     */
    public function __construct(array $allowed = [], bool $sameOrigin = true, bool $withoutOrigin = true) {}

    /**
     * Whether the server would accept a handshake: for a handshake handler that decides itself.
     *
     * @param string|null $origin the Origin field of the request; null: it has none
     * @param string $host the Host field of the request
     * @param bool $secure whether the request came over TLS
     */
    public function allows(?string $origin, string $host, bool $secure = false): bool {}
}

/**
 * Options for a route of WebSockets: sub-protocols, origins, compression, heartbeat, slow clients.
 *
 * @strict-properties
 * @not-serializable
 */
final class Options
{
    /**
     * Sub-protocols, the preferred first. The first one that a client offers is chosen; a client that offers none of them is accepted
     * without a sub-protocol. Tokens, at most 64.
     *
     * @var list<string>
     */
    public readonly array $protocols;
    /** The origins whose pages may open a WebSocket; null: all. */
    public readonly ?Origins $origins;
    /** Compression of messages, for clients that offer it; null: messages are not compressed. */
    public readonly ?Compression $compression;
    /** Pings that the server sends by itself; null: none. */
    public readonly ?Heartbeat $heartbeat;
    /**
     * What send(), sendMany() and publish() do for a client that does not read. Not `DropOldest` with a compression that has
     * `$serverTakeover`: its window refers to the dropped messages.
     */
    public readonly \Sluice\SlowClient $slowClient;

    /**
     * @param list<string> $protocols sub-protocols, the preferred first: tokens, at most 64
     * @throws \ValueError when $protocols is malformed, or $slowClient does not fit $compression
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
 * A WebSocket handshake that its handler decides on. It is accepted when the handler returns without having called refuse(). The
 * handler may wait, for a database or another server; after `Limits::$handshakeSeconds` the client gets 503. When the handler
 * throws, the client gets 500. The methods that change the handshake throw `\Sluice\ServerException` once it is decided.
 *
 * @strict-properties
 * @not-serializable
 */
final class Handshake
{
    /** The HTTP request of the handshake. */
    public readonly \Sluice\Http\Request $request;

    private function __construct() {}

    /**
     * The sub-protocols that the client offers, its preferred first.
     *
     * @return list<string>
     */
    public function protocols(): array {}
    /**
     * Chooses a sub-protocol. Without this call the server chooses the first of `Options::$protocols` that the client offers.
     *
     * @throws \ValueError when it is not in `Options::$protocols`, or the client does not offer it
     * @throws \Sluice\ServerException when the handshake is decided already
     */
    public function protocol(string $name): static {}
    /**
     * Attaches data to the connection if the handshake is accepted, such as who the client is. A further call replaces the data.
     * `Connection::data()` gives it to every worker for as long as the connection lives, through reloads and the death of workers.
     * When there is no room for it (`\Sluice\Limits::$attachedTotalBytes`), the client gets 503.
     *
     * @param string $data up to `\Sluice\Limits::$attachedBytes`, by default 4 KiB
     * @throws \ValueError when it is longer
     * @throws \Sluice\ServerException when the handshake is decided already
     */
    public function attach(string $data): static {}
    /**
     * Adds a header field to the response, whether the handshake is accepted or refused.
     *
     * @throws \ValueError when the name is not a token, or the value holds control characters; and for `connection`,
     *     `transfer-encoding`, `content-length` and `sec-websocket-*`, which the server writes
     * @throws \Sluice\ServerException when the handshake is decided already
     */
    public function header(string $name, string $value): static {}
    /**
     * Refuses the handshake: the client gets this status instead of 101. Content-Type is `text/plain; charset=utf-8` unless it was
     * added.
     *
     * @param int $status 300 to 599
     * @throws \ValueError for another status
     * @throws \Sluice\ServerException when the handshake is decided already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function refuse(int $status = 403, string $body = ''): void {}
    /** Whether refuse() was called. */
    public function isRefused(): bool {}
}

/**
 * Compression of messages (permessage-deflate, RFC 7692), for clients that offer it. With the defaults nothing is kept between
 * messages in either direction, so that an idle connection needs no memory. Do not compress a secret together with text that an
 * attacker can choose: the length of the message tells about the secret.
 *
 * @strict-properties
 * @not-serializable
 */
final class Compression
{
    /**
     * Whether messages to a client may refer to earlier ones of its connection, when the client and
     * `\Sluice\Limits::$compressionBytes` allow it. Small messages that resemble each other become smaller. It takes
     * 4 * 2 ^ $serverWindowBits bytes + 136 KiB of memory for each connection. By default false.
     */
    public readonly bool $serverTakeover;
    /**
     * Whether messages from a client may refer to earlier ones of its connection. It takes 2 ^ $clientWindowBits bytes + 11 KiB of
     * memory for each connection. By default false.
     */
    public readonly bool $clientTakeover;
    /** The window for messages to a client has 2 to the power of this many bytes. 9 to 15, by default 15. */
    public readonly int $serverWindowBits;
    /** The window for messages from a client, for clients that let the server choose it; others use 15. 9 to 15, by default 15. */
    public readonly int $clientWindowBits;
    /** 1 (fastest, the default) to 9 (smallest). The reactor compresses, and its other connections wait meanwhile. */
    public readonly int $level;
    /** Messages with fewer bytes are not compressed. 0 to 1 GiB, by default 256. */
    public readonly int $minBytes;

    /** @throws \ValueError for a value that is out of range */
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
 * A WebSocket client. The object only holds the id of the connection: keep either, in any worker, and send to it from there. Ids are
 * not used again: once the connection is closed, sends return `Closed` for ever. All methods but fromId() throw
 * `\Sluice\ServerException` outside of a worker.
 *
 * @strict-properties
 * @not-serializable
 */
final class Connection
{
    /** The id of the connection, unique in this server. */
    public readonly int $id;

    private function __construct() {}

    /** The connection with this id, open or not. */
    public static function fromId(int $id): Connection {}

    /**
     * Sends a message. For a client that does not read, `Options::$slowClient` decides.
     *
     * @param bool $binary whether to send a binary message instead of a text message
     * @throws \ValueError when $binary is false and $data is not UTF-8
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function send(string $data, bool $binary = false): \Sluice\Delivery {}

    /**
     * Sends one message to many connections: it is handed to each reactor once, and framed once.
     *
     * @param list<int> $ids connection ids
     * @param bool $binary whether to send a binary message instead of a text message
     * @return array<int, \Sluice\Delivery> `Closed` or `Dropped`, by id, for each connection that will not get the message
     * @throws \ValueError when $binary is false and $data is not UTF-8
     * @throws \TypeError when $ids holds something else than an int
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public static function sendMany(array $ids, string $data, bool $binary = false): array {}

    /**
     * Sends a ping (RFC 6455 5.5.2). A PongHandler is called with the answer.
     *
     * @param string $data up to 125 bytes
     * @throws \ValueError when it is longer
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function ping(string $data = ''): \Sluice\Delivery {}
    /** The seconds from the last answered ping, of ping() or a Heartbeat, to its pong; null when no ping was answered. */
    public function roundTripSeconds(): ?float {}
    /**
     * The value of a parameter of the route in the path of the handshake, percent-decoded: with the route `/rooms/{id}`,
     * `parameter('id')` of `/rooms/7` is `7`. It is known until the handler's close() has returned; later it may be ''.
     *
     * @throws \ValueError when the route has no parameter of that name
     * @throws \Sluice\ServerException outside of a worker
     */
    public function parameter(string $name): string {}
    /**
     * The values of all parameters of the route by name, percent-decoded.
     *
     * @return array<string, string>
     */
    public function parameters(): array {}
    /** The sub-protocol that was chosen in the handshake; '' when none was. */
    public function protocol(): string {}

    /**
     * Starts the close handshake (RFC 6455 7.1.2): the server sends a close frame after what is queued, and then waits for the
     * client's, up to `Limits::$closeSeconds`.
     *
     * @param int $code 1000 to 1003, 1007 to 1009, 1011 to 1014, 3000 to 4999
     * @param string $reason up to 123 bytes of UTF-8
     * @throws \ValueError when the code or the reason is not allowed
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function close(int $code = 1000, string $reason = ''): \Sluice\Delivery {}

    /**
     * Subscribes the client to a topic: it gets each message published to the topic once, and the messages of one publisher in order.
     *
     * @param string $topic 1 to 255 bytes
     * @return \Sluice\Delivery `Sent`; `Closed`; `Dropped`: the client has `Limits::$subscriptions` already, or there is no room for
     *     another (`\Sluice\Limits::$subscriptionBytes`)
     * @throws \ValueError for a topic of another length
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function subscribe(string $topic): \Sluice\Delivery {}
    /** Ends the subscription to this topic; subscriptions to prefixes stay. */
    public function unsubscribe(string $topic): \Sluice\Delivery {}
    /**
     * Subscribes the client to all topics that begin with the prefix: `subscribePrefix('room/')` to `room/1` and `room/2/typing`. A
     * message that matches several subscriptions of the client arrives once.
     *
     * @param string $prefix 0 to 255 bytes; '' is all topics
     * @return \Sluice\Delivery `Sent`; `Closed`; `Dropped`: the client has `Limits::$subscriptions` already, or there is no room for
     *     another (`\Sluice\Limits::$subscriptionBytes`)
     * @throws \ValueError when the prefix is longer
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function subscribePrefix(string $prefix): \Sluice\Delivery {}
    /** Ends the subscription to this prefix; subscriptions to single topics and other prefixes stay. */
    public function unsubscribePrefix(string $prefix): \Sluice\Delivery {}
    /**
     * The topics that the client has subscribed to by name; none once it is closed. The coroutine waits for its reactor's answer.
     *
     * @param float $timeoutSeconds 0 to 1e9. In base mode a worker that runs PHP code answers when the code waits or ends
     * @return list<string> in no order
     * @throws \ValueError when $timeoutSeconds is out of range
     * @throws \Sluice\ServerException outside of coroutines
     * @throws \Sluice\Coroutine\TimeoutException when the reactor has not answered in time
     * @throws \Sluice\Coroutine\CancelledError
     */
    public function topics(float $timeoutSeconds = 5.0): array {}
    /**
     * The prefixes that the client has subscribed to; none once it is closed. The coroutine waits for its reactor's answer.
     *
     * @param float $timeoutSeconds 0 to 1e9. In base mode a worker that runs PHP code answers when the code waits or ends
     * @return list<string> in no order
     * @throws \ValueError when $timeoutSeconds is out of range
     * @throws \Sluice\ServerException outside of coroutines
     * @throws \Sluice\Coroutine\TimeoutException when the reactor has not answered in time
     * @throws \Sluice\Coroutine\CancelledError
     */
    public function prefixes(float $timeoutSeconds = 5.0): array {}
    /**
     * Sends a message to every subscriber of a topic. For a subscriber that is behind, `Options::$slowClient` of its route decides;
     * with `Wait` it misses the message, for nobody waits for it.
     *
     * @param string $topic 1 to 255 bytes
     * @param bool $binary whether to send a binary message instead of a text message
     * @param bool $exceptSelf whether this connection does not get the message, even as a subscriber
     * @throws \ValueError for a topic of another length, and when $binary is false and $data is not UTF-8
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function publish(string $topic, string $data, bool $binary = false, bool $exceptSelf = false): void {}

    /**
     * Attaches data to the connection, in place of earlier data, and waits until the server has it. data() then gives it to every
     * worker for as long as the connection lives, through reloads and the death of workers.
     *
     * @param string $data up to `\Sluice\Limits::$attachedBytes`, by default 4 KiB; '' removes what is attached
     * @param float $timeoutSeconds 0 to 1e9. In base mode a worker that runs PHP code answers when the code waits or ends
     * @return \Sluice\Delivery `Sent`; `Closed`; `Dropped`: there is no room (`\Sluice\Limits::$attachedTotalBytes`), and the earlier
     *     data stays
     * @throws \ValueError when $data is longer, or $timeoutSeconds is out of range
     * @throws \Sluice\ServerException outside of coroutines
     * @throws \Sluice\Coroutine\TimeoutException when the reactor has not answered in time
     * @throws \Sluice\Coroutine\CancelledError
     */
    public function attach(string $data, float $timeoutSeconds = 5.0): \Sluice\Delivery {}
    /** The data that `Handshake::attach()` or attach() has attached; '' when none is. Known until the handler's close() has returned. */
    public function data(): string {}

    /** Whether the connection is open. */
    public function isOpen(): bool {}
    /** Bytes that wait for the client to read them; 0 when it is closed. */
    public function queuedBytes(): int {}
    /** The client's address and port, `192.0.2.1:1234`; `unix:` for a Unix socket; '' when the connection is closed. */
    public function peer(): string {}
}
