<?php

declare(strict_types=1);

namespace Swoole\WebSocket;

class CloseFrame extends Frame
{
    public int $opcode = \WEBSOCKET_OPCODE_CLOSE;
    public int $code = \WEBSOCKET_CLOSE_NORMAL;
    public string $reason = '';

    /** @internal */
    public static function with(string $payload): self
    {
        $frame = new self();
        $frame->code = \strlen($payload) < 2 ? \WEBSOCKET_CLOSE_STATUS_ERROR : \ord($payload[0]) << 8 | \ord($payload[1]);
        $frame->reason = \substr($payload, 2);
        return $frame;
    }
}
