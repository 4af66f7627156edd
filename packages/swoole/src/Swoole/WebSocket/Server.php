<?php

declare(strict_types=1);

namespace Swoole\WebSocket;

use Sluice\Delivery;
use Sluice\Swoole\Errors;
use Sluice\WebSocket\Connection;

class Server extends \Swoole\Http\Server
{
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
        try {
            $delivery = match ($opcode) {
                \WEBSOCKET_OPCODE_PING => $connection->ping($payload),
                \WEBSOCKET_OPCODE_BINARY => $connection->send($payload, true),
                // Swoole does not look at texts. Here they are UTF-8, as RFC 6455 has them, and others are binary.
                default => $connection->send($payload, \preg_match('//u', $payload) !== 1),
            };
        } catch (\ValueError $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_WEBSOCKET_PACK_FAILED);
        }
        return match ($delivery) {
            Delivery::Sent, Delivery::Queued => true,
            Delivery::Dropped => Errors::fail(\SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW),
            Delivery::Closed => Errors::fail(\SWOOLE_ERROR_SESSION_NOT_EXIST),
        };
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
