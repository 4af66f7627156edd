<?php

declare(strict_types=1);

namespace Swoole\WebSocket;

use Sluice\Delivery;
use Sluice\Swoole\Errors;
use Sluice\WebSocket\Connection;

class Server extends \Swoole\Http\Server
{
    private const LONGEST_MESSAGE = 64 << 20;

    /** @var array<int, array{int, string}> opcode and data of messages whose last fragment was not pushed; the engine sends whole messages */
    private array $fragments = [];

    public function push(int $fd, Frame|string $data, int $opcode = \WEBSOCKET_OPCODE_TEXT, int $flags = \SWOOLE_WEBSOCKET_FLAG_FIN): bool
    {
        if ($data instanceof Frame) {
            $opcode = $data->opcode;
        }
        if ($opcode > \WEBSOCKET_OPCODE_PONG) {
            return Errors::warn('the maximum value of opcode is 10', \SWOOLE_ERROR_WEBSOCKET_BAD_OPCODE);
        }
        if ($this->live() === null || $fd <= 0) {
            return Errors::fail(\SWOOLE_ERROR_SESSION_INVALID_ID);
        }
        $connection = Connection::fromId($fd);
        if ($data instanceof CloseFrame || $opcode === \WEBSOCKET_OPCODE_CLOSE) {
            return $data instanceof CloseFrame ? $this->disconnect($fd, $data->code, $data->reason) : $this->disconnect($fd, \WEBSOCKET_CLOSE_NORMAL, (string) $data);
        }
        $payload = $data instanceof Frame ? $data->data : $data;
        if ($opcode !== \WEBSOCKET_OPCODE_PING && $opcode !== \WEBSOCKET_OPCODE_PONG) {
            $flags = $data instanceof Frame ? Frame::flagsOf($data) : $flags;
            if (($flags & \SWOOLE_WEBSOCKET_FLAG_FIN) === 0) {
                $this->fragments[$fd] = [$this->fragments[$fd][0] ?? $opcode, ($this->fragments[$fd][1] ?? '') . $payload];
                return \strlen($this->fragments[$fd][1]) <= self::LONGEST_MESSAGE || $this->tooLong($fd);
            }
            if (isset($this->fragments[$fd])) {
                [$opcode, $begun] = $this->fragments[$fd];
                $payload = $begun . $payload;
                unset($this->fragments[$fd]);
            }
        }
        try {
            $delivery = self::sendOnce($connection, $opcode, $payload);
            if ($delivery === Delivery::Dropped) {
                $delivery = $this->running?->connections->sendAgain(static fn(): Delivery => self::sendOnce($connection, $opcode, $payload)) ?? $delivery;
            }
        } catch (\ValueError $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_WEBSOCKET_PACK_FAILED);
        }
        return match ($delivery) {
            Delivery::Sent, Delivery::Queued => true,
            Delivery::Dropped => Errors::fail(\SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW),
            Delivery::Closed => Errors::fail(\SWOOLE_ERROR_SESSION_NOT_EXIST),
        };
    }

    private static function sendOnce(Connection $connection, int $opcode, string $payload): Delivery
    {
        return match ($opcode) {
            \WEBSOCKET_OPCODE_PING => $connection->ping($payload),
            \WEBSOCKET_OPCODE_BINARY => $connection->send($payload, true),
            // Swoole does not look at texts. Here they are UTF-8, as RFC 6455 has them, and others are binary.
            default => $connection->send($payload, \preg_match('//u', $payload) !== 1),
        };
    }

    private function tooLong(int $fd): false
    {
        unset($this->fragments[$fd]);
        return Errors::warn('the fragments of a message have more than ' . self::LONGEST_MESSAGE . ' bytes', \SWOOLE_ERROR_DATA_LENGTH_TOO_LARGE);
    }

    /** @internal */
    public function forgetFragments(int $fd): void
    {
        unset($this->fragments[$fd]);
    }

    public function isEstablished(int $fd): bool
    {
        return $this->live()?->connections->isWebSocket($fd) ?? false;
    }

    public function disconnect(int $fd, int $code = \SWOOLE_WEBSOCKET_CLOSE_NORMAL, string $reason = ''): bool
    {
        if ($this->live() === null) {
            return false;
        }
        try {
            return Connection::fromId($fd)->close($code, $reason) !== Delivery::Closed;
        } catch (\ValueError $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_INVALID_PARAMS);
        }
    }

    public function ping(int $fd, string $data = ''): bool
    {
        return $this->push($fd, $data, \WEBSOCKET_OPCODE_PING);
    }

    public static function pack(Frame|string $data, int $opcode = \WEBSOCKET_OPCODE_TEXT, int $flags = \SWOOLE_WEBSOCKET_FLAG_FIN): string
    {
        return Frame::pack($data, $opcode, $flags);
    }

    public static function unpack(string $data): Frame|false
    {
        return Frame::unpack($data);
    }
}
