<?php

declare(strict_types=1);

namespace Sluice\Swoole\Http2;

/** A frame of HTTP/2 (RFC 9113, section 4.1). */
final class Frame
{
    public const DATA = 0;
    public const HEADERS = 1;
    public const RST_STREAM = 3;
    public const SETTINGS = 4;
    public const PUSH_PROMISE = 5;
    public const PING = 6;
    public const GOAWAY = 7;
    public const WINDOW_UPDATE = 8;
    public const CONTINUATION = 9;

    public const END_STREAM = 1;
    public const ACK = 1;
    public const END_HEADERS = 4;
    public const PADDED = 8;
    public const PRIORITY = 32;

    public const HEAD_BYTES = 9;

    public function __construct(public readonly int $type, public readonly int $flags, public readonly int $stream, public readonly string $payload) {}

    public static function write(int $type, int $flags, int $stream, string $payload): string
    {
        return \substr(\pack('N', \strlen($payload)), 1) . \pack('CCN', $type, $flags, $stream) . $payload;
    }

    /** The first frame of the bytes, which are taken away; null: more has to come. */
    public static function take(string &$data): ?self
    {
        $head = \strlen($data) < self::HEAD_BYTES ? false : \unpack('Nlength/Cflags/Nstream', $data);
        if ($head === false) {
            return null;
        }
        /** @var array{length: int, flags: int, stream: int} $head */
        $length = $head['length'] >> 8;
        if (\strlen($data) < self::HEAD_BYTES + $length) {
            return null;
        }
        $frame = new self($head['length'] & 0xff, $head['flags'], $head['stream'] & 0x7fffffff, \substr($data, self::HEAD_BYTES, $length));
        $data = \substr($data, self::HEAD_BYTES + $length);
        return $frame;
    }

    public function has(int $flag): bool
    {
        return ($this->flags & $flag) !== 0;
    }

    /** Without padding and priority; null: it is broken. */
    public function content(): ?string
    {
        $content = $this->payload;
        $padding = 0;
        if ($this->has(self::PADDED)) {
            if ($content === '') {
                return null;
            }
            $padding = \ord($content[0]);
            $content = \substr($content, 1);
        }
        if ($this->type === self::HEADERS && $this->has(self::PRIORITY)) {
            $content = \substr($content, 5);
        }
        return $padding > \strlen($content) ? null : \substr($content, 0, \strlen($content) - $padding);
    }

    /** The 32 bits at an offset; 0 when there are none. */
    public function word(int $offset): int
    {
        $word = \strlen($this->payload) < $offset + 4 ? false : \unpack('N', $this->payload, $offset);
        return \is_array($word) && \is_int($word[1]) ? $word[1] : 0;
    }
}
