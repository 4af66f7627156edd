<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Coroutine\Socket;
use Swoole\WebSocket\CloseFrame;
use Swoole\WebSocket\Frame;

/** The server's side of a WebSocket on a socket of a coroutine. */
final class SocketWebSocket
{
    private bool $closed = false;

    /** @param array<string, mixed> $setting of the server */
    public function __construct(private readonly Socket $socket, private string $data, private readonly int $longest, private readonly array $setting = []) {}

    public function push(Frame $frame): bool
    {
        if ($this->closed) {
            return Errors::fail(\SWOOLE_ERROR_SESSION_CLOSED);
        }
        $bytes = Frame::pack($frame);
        return $this->socket->sendAll($bytes) === \strlen($bytes);
    }

    /** The next message, its fragments joined; '' when the client has gone. */
    public function receive(float $timeout): Frame|false|string
    {
        $message = null;
        for (;;) {
            $frame = $this->frame($timeout);
            if (!$frame instanceof Frame) {
                return $frame;
            }
            $frame->fd = $this->socket->fd;
            if ($frame->opcode === \WEBSOCKET_OPCODE_PING && Options::bool($this->setting, 'open_websocket_ping_frame')) {
                return $frame;
            }
            if ($frame->opcode === \WEBSOCKET_OPCODE_PONG && !Options::bool($this->setting, 'open_websocket_pong_frame')) {
                continue;
            }
            if ($frame->opcode === \WEBSOCKET_OPCODE_PING) {
                $this->push(Frame::of($frame->data, \WEBSOCKET_OPCODE_PONG));
                continue;
            }
            if ($frame instanceof CloseFrame) {
                $this->push($frame);
                $this->closed = true;
                return $frame;
            }
            if ($frame->opcode === \WEBSOCKET_OPCODE_CONTINUATION && $message !== null) {
                $message->data .= $frame->data;
                $message->finish = $frame->finish;
            } else {
                $message = $frame;
            }
            if ($message->finish === true || \strlen($message->data) > $this->longest) {
                $message->flags = \SWOOLE_WEBSOCKET_FLAG_FIN;
                return $message;
            }
        }
    }

    public function disconnect(int $code, string $reason): bool
    {
        $frame = new CloseFrame();
        [$frame->code, $frame->reason] = [$code, $reason];
        $sent = $this->push($frame);
        $this->closed = true;
        return $sent;
    }

    private function frame(float $timeout): Frame|false|string
    {
        while (($frame = Frame::unpack($this->data)) === false) {
            if (\strlen($this->data) > $this->longest + 14) {
                $this->disconnect(\WEBSOCKET_CLOSE_MESSAGE_TOO_BIG, '');
                return false;
            }
            $data = $this->socket->recv(262144, $timeout === 0.0 ? -1 : $timeout);
            if ($data === false || $data === '') {
                return $data;
            }
            $this->data .= $data;
        }
        $this->data = \substr($this->data, self::size($this->data));
        return $frame;
    }

    /** Of the first frame, which is complete. */
    private static function size(string $data): int
    {
        $second = \ord($data[1]);
        $size = $second & 0x7f;
        $head = 2 + ($second & 0x80 ? 4 : 0);
        return match ($size) {
            126 => $head + 2 + (int) \hexdec(\bin2hex(\substr($data, 2, 2))),
            127 => $head + 8 + (int) \hexdec(\bin2hex(\substr($data, 2, 8))),
            default => $head + $size,
        };
    }
}
