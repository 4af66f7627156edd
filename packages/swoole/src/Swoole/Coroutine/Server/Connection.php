<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Server;

use Swoole\Coroutine\Socket;

class Connection
{
    public function __construct(protected Socket $socket) {}

    public function recv(float $timeout = 0): string|false
    {
        return $this->socket->recvPacket($timeout);
    }

    public function send(string $data): int|false
    {
        return $this->socket->sendAll($data);
    }

    public function close(): bool
    {
        return $this->socket->close();
    }

    public function exportSocket(): Socket
    {
        return $this->socket;
    }
}
