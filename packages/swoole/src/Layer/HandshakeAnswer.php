<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\WebSocket\Handshake;
use Swoole\WebSocket\Frame;

/** The answer to a handshake that onHandshake decides on: 101 accepts it. */
final class HandshakeAnswer implements Answer
{
    private bool $ended = false;
    private string $body = '';

    public function __construct(private readonly Handshake $handshake, private int $status = 200) {}

    public function isEnded(): bool
    {
        return $this->ended;
    }

    public function status(int $status, string $reason): bool
    {
        $this->status = $status;
        return true;
    }

    public function header(string $name, array $values): bool
    {
        $lower = \strtolower($name);
        if ($lower === 'sec-websocket-protocol') {
            return $this->choose($values[0] ?? '');
        }
        // The server writes the others.
        if (\str_starts_with($lower, 'sec-websocket-') || \in_array($lower, ['connection', 'upgrade', 'content-length', 'transfer-encoding'], true)) {
            return true;
        }
        try {
            foreach ($values as $value) {
                $this->handshake->header($name, $value);
            }
            return true;
        } catch (\ValueError $error) {
            return Errors::warn($error->getMessage());
        }
    }

    public function cookie(string $field): bool
    {
        $this->handshake->header('Set-Cookie', $field);
        return true;
    }

    public function trailer(string $name, string $value): bool
    {
        return false;
    }

    public function write(string $data): bool
    {
        $this->body .= $data;
        return true;
    }

    public function end(string $data): bool
    {
        $this->body .= $data;
        $this->ended = true;
        if ($this->status !== 101) {
            $this->handshake->refuse(\max(300, $this->status === 200 ? 403 : $this->status), $this->body);
        }
        return true;
    }

    public function sendFile(string $path, int $offset, int $length): bool
    {
        return $this->end((string) FilePart::read($path, $offset, $length));
    }

    public function upgrade(): bool
    {
        $this->status = 101;
        return $this->end('');
    }

    public function push(Frame $frame): bool
    {
        return Errors::warn('the handshake is not over: push() in onOpen', \SWOOLE_ERROR_WEBSOCKET_UNCONNECTED);
    }

    public function receive(float $timeout): false
    {
        return false;
    }

    public function close(): bool
    {
        return $this->ended || $this->end('');
    }

    public function disconnect(int $code, string $reason): bool
    {
        return $this->close();
    }

    public function abandon(): void
    {
        if (!$this->ended) {
            $this->end('');
        }
    }

    private function choose(string $protocol): bool
    {
        try {
            $this->handshake->protocol($protocol);
            return true;
        } catch (\ValueError) {
            return Errors::warn("the sub-protocol $protocol is not offered by the client, or not named by websocket_subprotocol");
        }
    }
}
