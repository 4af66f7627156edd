<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Server;

/** A connection of TCP of a server, whose program writes HTTP itself. */
final class ServerSink implements Sink
{
    public function __construct(private readonly Server $server, private readonly int $fd) {}

    public function sendAll(string $data): int|false
    {
        return $this->server->send($this->fd, $data) ? \strlen($data) : false;
    }

    public function close(): bool
    {
        return $this->server->close($this->fd);
    }
}
