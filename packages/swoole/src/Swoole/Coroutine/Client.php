<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Swoole\ClientBase;

class Client extends ClientBase
{
    public const MSG_OOB = 1;
    public const MSG_PEEK = 2;
    public const MSG_DONTWAIT = 64;
    public const MSG_WAITALL = 256;

    public function recv(float $timeout = 0): string|false
    {
        return $this->receive(65536, $timeout !== 0.0 ? $timeout : $this->timeout('read_timeout'));
    }

    public function peek(int $length = 65535): string|false
    {
        return $this->wire->peek($length);
    }

    public function send(string $data, float $timeout = 0): int|false
    {
        return $this->transmit($data, $timeout !== 0.0 ? $timeout : $this->timeout('write_timeout'));
    }

    public function recvfrom(int $length, mixed &$address, mixed &$port = 0): false|string
    {
        $data = $this->receive($length, $this->timeout('read_timeout'));
        $peer = $this->wire->name(true);
        $address = $peer['address'] ?? '';
        $port = $peer['port'] ?? 0;
        return $data;
    }

    public function exportSocket(): Socket|false
    {
        $stream = $this->wire->stream();
        $socket = $stream === null ? false : \socket_import_stream($stream);
        return $socket instanceof \Socket ? Socket::wrap($socket) : false;
    }
}
