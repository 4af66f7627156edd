<?php

declare(strict_types=1);

namespace Sluice\Sharding\Binlog;

use Sluice\Sharding\{Address, ShardingException};

/** MySQL's protocol as far as a reader of the binary log needs it: PDO cannot ask for a log. @internal */
final class Wire
{
    private const LONG_PASSWORD = 0x1;
    private const PROTOCOL_41 = 0x200;
    private const SECURE_CONNECTION = 0x8000;
    private const PLUGIN_AUTH = 0x80000;
    private const COM_QUERY = "\x03";
    private const COM_BINLOG_DUMP = "\x12";
    private const SECONDS = 30;
    /** What a packet can hold; a longer payload goes on in the next one. */
    private const FULL = 0xffffff;
    /** @var resource */
    private $stream;
    private int $sequence = 0;

    /** @throws ShardingException when it cannot be reached, or wants another login than mysql_native_password */
    public function __construct(Address $address)
    {
        $parts = [];
        foreach (\explode(';', \substr($address->dsn, \strlen('mysql:'))) as $part) {
            [$name, $value] = \explode('=', "$part=", 3);
            $parts[\trim($name)] = $value;
        }
        $to = isset($parts['unix_socket']) ? "unix://{$parts['unix_socket']}" : 'tcp://' . ($parts['host'] ?? '127.0.0.1') . ':' . ($parts['port'] ?? '3306');
        $stream = @\stream_socket_client($to, $code, $reason, self::SECONDS);
        if ($stream === false) {
            throw new ShardingException("The binary log of $to cannot be read: $reason.");
        }
        \stream_set_timeout($stream, self::SECONDS);
        $this->stream = $stream;
        $this->logIn($parts['user'] ?? $address->user ?? '', $parts['password'] ?? $address->password ?? '');
    }

    /** A statement without a result. */
    public function execute(string $sql): void
    {
        $this->sequence = 0;
        $this->write(self::COM_QUERY . $sql);
        $this->require($this->read());
    }

    /**
     * Events from a position to the log's end.
     *
     * @return \Generator<int, string> with their headers, without checksums
     * @throws ShardingException when the server has no such position any more
     */
    public function events(string $file, int $position): \Generator
    {
        $this->execute('SET @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum, @mariadb_slave_capability = 4');
        $this->sequence = 0;
        // Flag 1: the server says EOF at the log's end. The server's number 0 is nobody's, so no replica is thrown out.
        $this->write(self::COM_BINLOG_DUMP . \pack('VvV', $position, 1, 0) . $file);
        while (true) {
            $packet = $this->read();
            if ($packet[0] === "\xfe" && \strlen($packet) < 9) {
                return;
            }
            $this->require($packet);
            $event = \substr($packet, 1);
            // Whether an event has a checksum depends on the server, on its version, on the file, and on the event: the checksum says it best.
            $body = \substr($event, 0, -4);
            yield \crc32($body) === TableMap::little($event, \strlen($body), 4) ? $body : $event;
        }
    }

    private function logIn(string $user, #[\SensitiveParameter] string $password): void
    {
        $greeting = $this->read();
        $this->require($greeting);
        $at = (int) \strpos($greeting, "\0", 1) + 5;
        $salt = \substr($greeting, $at, 8) . \substr($greeting, $at + 27, 12);
        $flags = self::LONG_PASSWORD | self::PROTOCOL_41 | self::SECURE_CONNECTION | self::PLUGIN_AUTH;
        $answer = self::scramble($password, $salt);
        $this->write(\pack('VVC', $flags, self::FULL, 45) . \str_repeat("\0", 23) . "$user\0" . \chr(\strlen($answer)) . "{$answer}mysql_native_password\0");
        $reply = $this->read();
        if ($reply[0] === "\xfe") {
            [$plugin, $salt] = \explode("\0", \substr($reply, 1), 2) + ['', ''];
            if ($plugin !== 'mysql_native_password') {
                throw new ShardingException("The user $user logs in by $plugin, and the binary log can be read with mysql_native_password only.");
            }
            $this->write(self::scramble($password, \substr($salt, 0, 20)));
            $reply = $this->read();
        }
        $this->require($reply);
    }

    private static function scramble(#[\SensitiveParameter] string $password, string $salt): string
    {
        $once = \sha1($password, true);
        return $password === '' ? '' : $once ^ \sha1($salt . \sha1($once, true), true);
    }

    private function require(string $packet): void
    {
        if (($packet[0] ?? "\xff") === "\xff") {
            throw new ShardingException('The binary log cannot be read: ' . \substr($packet, 9) . ' (error ' . \ord($packet[1] ?? "\0") + 256 * \ord($packet[2] ?? "\0") . ').');
        }
    }

    private function write(string $payload): void
    {
        $packet = \substr(\pack('V', \strlen($payload)), 0, 3) . \chr($this->sequence++) . $payload;
        if (\fwrite($this->stream, $packet) !== \strlen($packet)) {
            throw new ShardingException('The connection to the binary log was lost.');
        }
    }

    private function read(): string
    {
        $payload = '';
        do {
            $header = $this->bytes(4);
            $length = \ord($header[0]) | \ord($header[1]) << 8 | \ord($header[2]) << 16;
            $this->sequence = \ord($header[3]) + 1 & 0xff;
            $payload .= $this->bytes($length);
        } while ($length === self::FULL);
        return $payload;
    }

    private function bytes(int $count): string
    {
        $bytes = '';
        while (($left = $count - \strlen($bytes)) > 0) {
            $more = \fread($this->stream, \min($left, 1 << 20));
            if ($more === false || $more === '') {
                throw new ShardingException('The connection to the binary log was lost, or the server was silent for ' . self::SECONDS . ' s.');
            }
            $bytes .= $more;
        }
        return $bytes;
    }
}
