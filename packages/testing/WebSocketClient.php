<?php

declare(strict_types=1);

namespace Sluice\Testing;

/** A WebSocket client (RFC 6455) that sends and receives short text messages. */
final class WebSocketClient
{
    private const DEADLINE_S = 20;

    /** @param resource $socket */
    private function __construct(private $socket, public readonly int $status) {}

    /** @param list<string> $headers */
    public static function connect(TestServer $server, string $path, array $headers = []): self
    {
        $socket = \stream_socket_client("tcp://127.0.0.1:$server->port", timeout: self::DEADLINE_S) ?: throw new \RuntimeException('Nobody listens');
        \stream_set_timeout($socket, self::DEADLINE_S);
        $fields = ["Host: 127.0.0.1:$server->port", 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: ' . \base64_encode(\random_bytes(16)), ...$headers];
        \fwrite($socket, "GET $path HTTP/1.1\r\n" . \implode("\r\n", $fields) . "\r\n\r\n");
        $status = (int) \substr((string) \fgets($socket), 9, 3);
        do {
            $line = \fgets($socket);
        } while ($line !== false && $line !== "\r\n");
        return new self($socket, $status);
    }

    public function send(string $text): void
    {
        if (\strlen($text) > 125) {
            throw new \ValueError('Only up to 125 bytes are sent in one frame');
        }
        // A mask of zeros leaves the text as it is.
        \fwrite($this->socket, "\x81" . \chr(0x80 | \strlen($text)) . "\0\0\0\0" . $text);
    }

    /**
     * The next text message; null: the server closes. Pings are passed over.
     *
     * @phpstan-impure
     */
    public function receive(): ?string
    {
        while (true) {
            $head = $this->read(2);
            $bytes = \ord($head[1]) & 0x7f;
            if ($bytes === 126) {
                $bytes = (\ord($this->read(1)) << 8) + \ord($this->read(1));
            }
            $data = $this->read($bytes);
            $opcode = \ord($head[0]) & 0x0f;
            if ($opcode === 1) {
                return $data;
            }
            if ($opcode === 8) {
                return null;
            }
        }
    }

    public function close(): void
    {
        \fwrite($this->socket, "\x88\x80\0\0\0\0");
    }

    private function read(int $bytes): string
    {
        $data = '';
        while (\strlen($data) < $bytes) {
            $piece = \fread($this->socket, \max(1, $bytes - \strlen($data)));
            if ($piece === false || $piece === '') {
                throw new \RuntimeException('The server has sent no whole message in time');
            }
            $data .= $piece;
        }
        return $data;
    }
}
