<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Internal\WebSocketEndpoint;
use Swoole\WebSocket\CloseFrame;
use Swoole\WebSocket\Frame;

/** A client's WebSocket on a connection that has been upgraded. */
final class WebSocketWire
{
    private readonly WebSocketEndpoint $endpoint;
    private bool $open = true;
    private string $fed = '';

    /** @param array<string, mixed> $setting of the client */
    public function __construct(private readonly Wire $wire, int $longest, private array $setting)
    {
        $this->endpoint = new WebSocketEndpoint(\min($longest, 1 << 30), 100_000, 1, 256);
    }

    /** What a handshake says to offer compression. */
    public static function offer(): string
    {
        $offer = \constant(WebSocketEndpoint::class . '::DEFLATE_OFFER');
        return \is_string($offer) ? $offer : '';
    }

    public function begin(string $head, string $rest, string $key, string $protocols, bool $deflates): bool
    {
        [, , , $error] = $this->endpoint->answer($head, $key, $protocols, $deflates);
        $this->fed = $rest;
        return $error === '';
    }

    /** @param array<string, mixed> $setting */
    public function set(array $setting): void
    {
        $this->setting = $setting;
    }

    public function isOpen(): bool
    {
        return $this->open;
    }

    public function push(Frame $frame, float $timeout): bool
    {
        if (!$this->open) {
            return false;
        }
        try {
            $bytes = $frame instanceof CloseFrame || $frame->opcode === \WEBSOCKET_OPCODE_CLOSE
                ? $this->endpoint->closeFrame($frame instanceof CloseFrame ? $frame->code : \WEBSOCKET_CLOSE_NORMAL, $frame instanceof CloseFrame ? $frame->reason : $frame->data)
                : $this->bytesOf($frame);
        } catch (\ValueError $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_WEBSOCKET_PACK_FAILED);
        }
        return $this->wire->send($bytes, $timeout) === \strlen($bytes);
    }

    private function bytesOf(Frame $frame): string
    {
        $flags = Frame::flagsOf($frame);
        $isWhole = ($flags & \SWOOLE_WEBSOCKET_FLAG_FIN) !== 0;
        if (!$isWhole || !\in_array($frame->opcode, [\WEBSOCKET_OPCODE_TEXT, \WEBSOCKET_OPCODE_BINARY, \WEBSOCKET_OPCODE_PING, \WEBSOCKET_OPCODE_PONG], true)) {
            return Frame::pack($frame->data, $frame->opcode, $flags | \SWOOLE_WEBSOCKET_FLAG_MASK);
        }
        $isText = $frame->opcode === \WEBSOCKET_OPCODE_TEXT;
        return $this->endpoint->frame($isText && \preg_match('//u', $frame->data) !== 1 ? \WEBSOCKET_OPCODE_BINARY : $frame->opcode, $frame->data);
    }

    /** The next frame; false: none came in time, or the connection is closed. */
    public function receive(float $timeout): Frame|false
    {
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
        for (;;) {
            $event = $this->next();
            if ($event !== null) {
                $frame = $this->frameOf(...$event);
                if ($frame !== null) {
                    return $frame;
                }
                continue;
            }
            $left = $deadline === \INF ? -1.0 : $deadline - \microtime(true);
            $data = $deadline !== \INF && $left <= 0 ? false : $this->wire->receive(262144, $left);
            if ($data === false || $data === '') {
                $this->open = $this->open && $data === false && $this->wire->errCode === 110;
                return false;
            }
            $this->fed = $data;
        }
    }

    public function disconnect(int $code, string $reason): bool
    {
        $frame = new CloseFrame();
        $frame->code = $code;
        $frame->reason = $reason;
        $sent = $this->push($frame, 5.0);
        $this->open = false;
        $this->wire->close();
        return $sent;
    }

    /** @return array{int, string, int}|null */
    private function next(): ?array
    {
        if ($this->fed !== '') {
            [$data, $this->fed] = [$this->fed, ''];
            $this->endpoint->feed($data);
        }
        return $this->endpoint->next();
    }

    private function frameOf(int $opcode, string $payload, int $code): Frame|false|null
    {
        if ($opcode === \WEBSOCKET_OPCODE_PONG && !Options::bool($this->setting, 'open_websocket_pong_frame')) {
            return null;
        }
        if ($opcode === \WEBSOCKET_OPCODE_PING && !Options::bool($this->setting, 'open_websocket_ping_frame')) {
            $this->wire->send($this->endpoint->frame(\WEBSOCKET_OPCODE_PONG, $payload), 5.0);
            return null;
        }
        if ($opcode === \WEBSOCKET_OPCODE_CLOSE) {
            $frame = new CloseFrame();
            [$frame->code, $frame->reason, $frame->data, $frame->finish] = [$code, $payload, $payload, true];
            $this->open = false;
            @$this->wire->send($this->endpoint->closeFrame($code === 1005 ? 1000 : $code, ''), 5.0);
            return $frame;
        }
        if ($opcode < 0) {
            $this->open = false;
            return false;
        }
        return Frame::of($payload, $opcode);
    }
}
