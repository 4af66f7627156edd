<?php

/** @generate-class-entries */

namespace Sluice\Tcp;

enum ByteOrder
{
    case BigEndian;
    case LittleEndian;
}

interface Handler
{
    public function open(Connection $who): void;
    public function message(Connection $who, string $data): void;
    public function close(Connection $who): void;
}

/**
 * How the bytes of a TCP stream become messages.
 *
 * @strict-properties
 * @not-serializable
 */
final class Framing
{
    private function __construct() {}

    /**
     * Messages end with a delimiter, which is not part of them.
     *
     * @param string $delimiter 1 to 8 bytes
     * @param int $maxBytes longest message, 1 to 1 GiB; a longer one closes the connection
     */
    public static function line(string $delimiter = "\n", int $maxBytes = 65536): Framing {}

    /**
     * Messages begin with a header that holds their length.
     *
     * @param int $width bytes of the length field: 1, 2, 3, 4 or 8
     * @param int $offset bytes in front of the length field, 0 to 24
     * @param bool $includesHeader whether the length counts the header itself
     * @param bool $keepHeader whether the message that the handler gets begins with the header
     * @param int $maxBytes longest message as the handler gets it, 1 to 1 GiB; a longer one closes the connection
     */
    public static function lengthPrefix(
        int $width = 4,
        int $offset = 0,
        ByteOrder $order = ByteOrder::BigEndian,
        bool $includesHeader = false,
        bool $keepHeader = false,
        int $maxBytes = 16777216,
    ): Framing {}

    /** No framing: what a read returns is a message. */
    public static function none(): Framing {}
}

/**
 * A TCP client; like WebSocket\Connection a small value that answers `Closed` once it is.
 *
 * @strict-properties
 * @not-serializable
 */
final class Connection
{
    public readonly int $id;

    private function __construct() {}

    public static function fromId(int $id): Connection {}

    /** Sends bytes as they are: the framing of answers is the handler's. */
    public function send(string $data): \Sluice\Delivery {}
    /** Closes after what is queued has been sent. */
    public function close(): \Sluice\Delivery {}

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
    /** What is attached; '' when nothing is. In close() it is known, too; later it is ''. */
    public function data(): string {}

    public function isOpen(): bool {}
    /** Bytes that wait for this client to read them. */
    public function queuedBytes(): int {}
    /** The client's address and port, or '' when it is closed. */
    public function peer(): string {}
}
