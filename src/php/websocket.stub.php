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
     * @param array $ids a list of int
     * @return array<int, \Sluice\Delivery> those that will not get it: `Closed` or `Dropped`
     */
    public static function sendMany(array $ids, string $data, bool $binary = false): array {}

    /** @param string $data up to 125 bytes */
    public function ping(string $data = ''): \Sluice\Delivery {}

    /**
     * Starts the close handshake.
     *
     * @param int $code 1000 to 1003, 1007 to 1009, 1011 to 1014, 3000 to 4999
     * @param string $reason up to 123 bytes of UTF-8
     */
    public function close(int $code = 1000, string $reason = ''): \Sluice\Delivery {}

    /** @param string $topic 1 to 255 bytes */
    public function subscribe(string $topic): void {}
    public function unsubscribe(string $topic): void {}
    /** Sends to every subscriber of the topic, this connection included if it is one, unless $exceptSelf. */
    public function publish(string $topic, string $data, bool $binary = false, bool $exceptSelf = false): void {}

    public function isOpen(): bool {}
    /** Bytes that wait for this client to read them. */
    public function queuedBytes(): int {}
    /** The client's address and port, or '' when it is closed. */
    public function peer(): string {}
}
