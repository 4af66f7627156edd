<?php

/** @generate-class-entries */

namespace Sluice\Tcp;

/** The order of the bytes of a length field. */
enum ByteOrder
{
    /** The most significant byte first: network byte order. */
    case BigEndian;
    /** The least significant byte first. */
    case LittleEndian;
}

/** Handles the events of TCP connections; an object in place of a callable. */
interface Handler
{
    /** A client has connected. Called before its first message, and once: not again after a reload. */
    public function open(Connection $who): void;
    /** A message has arrived, as the listener's Framing cuts it. */
    public function message(Connection $who, string $data): void;
    /** The connection is closed. Called once, after its last message. */
    public function close(Connection $who): void;
}

/**
 * How the bytes that a TCP client sends are cut into messages.
 *
 * @strict-properties
 * @not-serializable
 */
final class Framing
{
    private function __construct() {}

    /**
     * Messages end with a delimiter. The handler gets them without it.
     *
     * @param string $delimiter 1 to 8 bytes
     * @param int $maxBytes longest message, 1 byte to 1 GiB; a longer one closes the connection
     * @throws \ValueError for a value that is out of range
     */
    public static function line(string $delimiter = "\n", int $maxBytes = 65536): Framing {}

    /**
     * Messages begin with a header, which holds their length as an unsigned integer.
     *
     * @param int $width bytes of the length field: 1, 2, 3, 4 or 8
     * @param int $offset bytes of the header in front of the length field, 0 to 24
     * @param bool $includesHeader whether the length includes the header
     * @param bool $keepHeader whether the message that the handler gets begins with the header
     * @param int $maxBytes longest message as the handler gets it, 1 byte to 1 GiB; a longer one closes the connection
     * @throws \ValueError for a value that is out of range
     */
    public static function lengthPrefix(
        int $width = 4,
        int $offset = 0,
        ByteOrder $order = ByteOrder::BigEndian,
        bool $includesHeader = false,
        bool $keepHeader = false,
        int $maxBytes = 16777216,
    ): Framing {}

    /** No framing: the bytes of each read from the socket are a message. */
    public static function none(): Framing {}
}

/**
 * A TCP client. The object only holds the id of the connection: keep either, in any worker, and send to it from there. Ids are not
 * used again: once the connection is closed, sends return `Closed` for ever. All methods but fromId() throw
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
     * Sends these bytes unchanged: the application adds delimiters or lengths. For a client that does not read, the listener's
     * `\Sluice\SlowClient` decides.
     */
    public function send(string $data): \Sluice\Delivery {}
    /** Closes the connection once all that is queued has been sent. */
    public function close(): \Sluice\Delivery {}

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
    /** The data that attach() has attached; '' when none is. Known until the handler's close() has returned. */
    public function data(): string {}

    /** Whether the connection is open. */
    public function isOpen(): bool {}
    /** Bytes that wait for the client to read them; 0 when it is closed. */
    public function queuedBytes(): int {}
    /** The client's address and port, `192.0.2.1:1234`; `unix:` for a Unix socket; '' when the connection is closed. */
    public function peer(): string {}
}
