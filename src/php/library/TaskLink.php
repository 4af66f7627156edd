<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Coroutine\Mutex;
use Sluice\Internal\Waiter;

/**
 * One end of a connection between processes of a server. A message has a head, which is JSON, and a body, which is bytes.
 *
 * @internal
 */
final class TaskLink
{
    private const HELLO_BYTES = 1024;
    private const CHUNK_BYTES = 1 << 16;
    /** Stands for "for ever", which PHP's streams do not know as a timeout. */
    private const LONG_SECONDS = 1_000_000;

    private readonly Mutex $writing;
    private string $buffer = '';
    private bool $known = false;

    /** @param resource $stream */
    public function __construct(private mixed $stream)
    {
        \stream_set_timeout($stream, self::LONG_SECONDS);
        \stream_set_chunk_size($stream, self::CHUNK_BYTES);
        $this->writing = new Mutex();
    }

    /** Connects to the listener at the address, which trusts whoever knows the secret. Null: nobody listens any more. */
    public static function connect(
        string $address,
        #[\SensitiveParameter]
        string $secret,
        string $role,
    ): ?self {
        $stream = @\stream_socket_client($address, $code, $error, self::LONG_SECONDS);
        if ($stream === false) {
            return null;
        }
        $link = new self($stream);
        $link->known = true;
        return $link->send(['hello', $role, Internal\ProcessIdentity::own()], $secret) ? $link : null;
    }

    /** The role and the process of who has connected; null: a stranger, who does not know the secret. */
    public function hear(
        #[\SensitiveParameter]
        string $secret,
        float $seconds,
    ): ?array {
        if (!Waiter::forStream($this->stream, false, $seconds)) {
            return null;
        }
        $hello = $this->receive();
        $this->known = $hello !== null && $hello[0][0] === 'hello' && \hash_equals($secret, $hello[1]);
        return $this->known ? [$hello[0][1], $hello[0][2]] : null;
    }

    /**
     * Sends all of the message even when the caller is cancelled meanwhile: half a message would break all that follow.
     *
     * @param list<mixed> $head
     * @return bool false: the other end is gone
     */
    public function send(array $head, string $body = ''): bool
    {
        $head = \json_encode($head, \JSON_THROW_ON_ERROR | \JSON_INVALID_UTF8_SUBSTITUTE);
        $bytes = \pack('NJ', \strlen($head), \strlen($body)) . $head . $body;
        return Coroutine\shield(fn(): bool => $this->writing->use(function () use ($bytes): bool {
            for ($sent = 0; $sent < \strlen($bytes); $sent += $count) {
                $count = $this->stream === null ? false : @\fwrite($this->stream, $sent === 0 ? $bytes : \substr($bytes, $sent));
                if ($count === false || $count === 0) {
                    return false;
                }
            }
            return true;
        }));
    }

    /** @return null|array{list<mixed>, string} null: the other end is gone */
    public function receive(): ?array
    {
        if (!$this->fill(12)) {
            return null;
        }
        ['head' => $head, 'body' => $body] = \unpack('Nhead/Jbody', $this->buffer);
        if ($body < 0 || (!$this->known && $head + $body > self::HELLO_BYTES) || !$this->fill(12 + $head + $body)) {
            return null;
        }
        $message = [\json_decode(\substr($this->buffer, 12, $head), true), \substr($this->buffer, 12 + $head, $body)];
        $this->buffer = \substr($this->buffer, 12 + $head + $body);
        return \is_array($message[0]) ? $message : null;
    }

    /** Whether the other end has gone; only for a link on which nothing is to be received. */
    public function isOver(): bool
    {
        return $this->stream === null || Waiter::forStream($this->stream, false, 0.0);
    }

    public function close(): void
    {
        if ($this->stream !== null) {
            $stream = $this->stream;
            $this->stream = null;
            \fclose($stream);
        }
    }

    /** Reads on until the buffer has so many bytes. */
    private function fill(int $bytes): bool
    {
        $parts = [$this->buffer];
        for ($have = \strlen($this->buffer); $have < $bytes; $have += \strlen($part)) {
            $part = $this->stream === null ? false : @\fread($this->stream, \max(self::CHUNK_BYTES, \min($bytes - $have, 1 << 20)));
            if ($part === false || ($part === '' && \feof($this->stream))) {
                return false;
            }
            $parts[] = $part;
        }
        $this->buffer = \implode('', $parts);
        return true;
    }
}
