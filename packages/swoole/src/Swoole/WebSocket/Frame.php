<?php

declare(strict_types=1);

namespace Swoole\WebSocket;

use Sluice\Swoole\Errors;

class Frame
{
    public int $fd = 0;
    public string $data = '';
    public int $opcode = \WEBSOCKET_OPCODE_TEXT;
    public int $flags = \SWOOLE_WEBSOCKET_FLAG_FIN;
    public ?bool $finish = null;

    /** @internal */
    public static function of(string $data, int $opcode, int $flags = \SWOOLE_WEBSOCKET_FLAG_FIN, int $fd = 0): self
    {
        $frame = new self();
        $frame->fd = $fd;
        $frame->data = $data;
        $frame->opcode = $opcode;
        $frame->flags = $flags;
        $frame->finish = ($flags & \SWOOLE_WEBSOCKET_FLAG_FIN) !== 0;
        return $frame;
    }

    /**
     * What `$flags` and `$finish` say together.
     *
     * @internal
     */
    public static function flagsOf(self $frame): int
    {
        if ($frame->opcode >= \WEBSOCKET_OPCODE_CLOSE) {
            return $frame->flags | \SWOOLE_WEBSOCKET_FLAG_FIN;
        }
        return $frame->finish === false ? $frame->flags & ~\SWOOLE_WEBSOCKET_FLAG_FIN : $frame->flags;
    }

    public function __toString(): string
    {
        return self::pack($this);
    }

    /** The bytes of an unmasked frame. */
    public static function pack(self|string $data, int $opcode = \WEBSOCKET_OPCODE_TEXT, int $flags = \SWOOLE_WEBSOCKET_FLAG_FIN): string
    {
        $payload = $data instanceof self ? self::text($data, 'data') : $data;
        if ($opcode < 0 || $opcode > 15) {
            return '';
        }
        if ($data instanceof self) {
            [$opcode, $flags] = [$data->opcode, self::flagsOf($data)];
        }
        if ($data instanceof CloseFrame) {
            $payload = \pack('n', $data->code) . self::text($data, 'reason');
        }
        if ($opcode >= \WEBSOCKET_OPCODE_CLOSE) {
            // RFC 6455, section 5.5: they are not fragmented, and have at most 125 bytes.
            $flags |= \SWOOLE_WEBSOCKET_FLAG_FIN;
            if (\strlen($payload) > 125) {
                Errors::warn(
                    $opcode === \WEBSOCKET_OPCODE_CLOSE ? 'the max length of close reason is 123' : 'websocket control frame payload must not exceed 125 bytes',
                    \SWOOLE_ERROR_WEBSOCKET_PACK_FAILED,
                );
                return '';
            }
        }
        $size = \strlen($payload);
        $first = $opcode | ($flags & \SWOOLE_WEBSOCKET_FLAG_FIN ? 0x80 : 0);
        $mask = ($flags & \SWOOLE_WEBSOCKET_FLAG_MASK) !== 0;
        $bit = $mask ? 0x80 : 0;
        $head = match (true) {
            $size < 126 => \pack('CC', $first, $bit | $size),
            $size < 65536 => \pack('CCn', $first, $bit | 126, $size),
            default => \pack('CCJ', $first, $bit | 127, $size),
        };
        if (!$mask) {
            return $head . $payload;
        }
        $key = \random_bytes(4);
        return $head . $key . ($payload ^ \str_pad('', $size, $key));
    }

    /** A property, which a program may have unset. */
    private static function text(self $frame, string $name): string
    {
        $value = \get_object_vars($frame)[$name] ?? '';
        return \is_string($value) ? $value : '';
    }

    public static function unpack(string $data): self|false
    {
        if (\strlen($data) < 2) {
            return false;
        }
        $first = \ord($data[0]);
        $second = \ord($data[1]);
        $size = $second & 0x7f;
        $at = 2;
        if ($size > 125) {
            $width = $size === 126 ? 2 : 8;
            if (\strlen($data) < 2 + $width) {
                return false;
            }
            $size = (int) \hexdec(\bin2hex(\substr($data, 2, $width)));
            $at += $width;
        }
        $key = $second & 0x80 ? \substr($data, $at, 4) : '';
        $at += \strlen($key);
        if (\strlen($data) < $at + $size) {
            return false;
        }
        $payload = \substr($data, $at, $size);
        $payload = $key === '' ? $payload : $payload ^ \str_pad('', $size, $key);
        $frame = ($first & 0x0f) === \WEBSOCKET_OPCODE_CLOSE ? CloseFrame::with($payload) : self::of($payload, $first & 0x0f);
        $frame->finish = ($first & 0x80) !== 0;
        $frame->flags = $frame->finish ? \SWOOLE_WEBSOCKET_FLAG_FIN : 0;
        $frame->flags |= $key === '' ? 0 : \SWOOLE_WEBSOCKET_FLAG_MASK;
        return $frame;
    }
}
