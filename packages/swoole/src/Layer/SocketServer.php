<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Coroutine\Socket;
use Swoole\Exception;

/** A server in a coroutine: accepts on a socket, and begins a coroutine for each connection. */
final class SocketServer
{
    public Socket $socket;
    public int $port;
    public int $errCode = 0;
    private bool $ended = false;

    public function __construct(private readonly string $host, int $port, private readonly bool $reusePort)
    {
        $this->port = $port;
        $this->listen();
    }

    private function listen(): void
    {
        $host = $this->host;
        $port = $this->port;
        $isUnix = \str_starts_with($host, 'unix:');
        $path = $isUnix ? '/' . \ltrim(\substr($host, 5), '/') : $host;
        $this->socket = new Socket($isUnix ? \AF_UNIX : (\str_contains($host, ':') ? \AF_INET6 : \AF_INET), \SOCK_STREAM, 0);
        if ($this->reusePort) {
            $this->socket->setOption(\SOL_SOCKET, \SO_REUSEPORT, 1);
        }
        if (!$this->socket->bind($path, $port) || !$this->socket->listen(512)) {
            throw new Exception("bind({$host}:{$port}) failed", $this->socket->errCode);
        }
        $name = $this->socket->getsockname();
        $this->port = \is_array($name) ? ($name['port'] ?? $port) : $port;
    }

    /** @param callable(Socket): void $handle */
    public function serve(callable $handle): bool
    {
        if ($this->ended) {
            // After a shutdown it may be started again.
            $this->listen();
            $this->ended = false;
        }
        while (!$this->socket->isClosed()) {
            $connection = $this->socket->accept(-1);
            if ($connection !== false) {
                Coroutines::start($handle, [$connection]);
                continue;
            }
            $this->note($this->socket->errCode);
            if (!$this->ended && $this->errCode !== 110) {
                if (!\in_array($this->errCode, [23, 24, 103], true)) {
                    return false;
                }
                // There is no descriptor for a moment.
                \Swoole\Coroutine\System::sleep(0.1);
            }
        }
        return true;
    }

    private function note(int $code): void
    {
        $this->errCode = $this->ended ? 0 : $code;
    }

    public function end(): bool
    {
        $this->ended = true;
        return $this->socket->close();
    }
}
