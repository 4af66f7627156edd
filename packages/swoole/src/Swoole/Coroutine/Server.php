<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Swoole\Options;
use Sluice\Swoole\SocketServer;
use Swoole\Coroutine\Server\Connection;

class Server
{
    public string $host = '';
    public int $port = 0;
    public int $type = \AF_INET;
    public int $fd = -1;
    public int $errCode = 0;
    /** @var array<string, mixed> */
    public array $setting = [];
    protected bool $running = false;
    /** @var callable|null */
    protected $fn;
    private readonly SocketServer $server;

    public function __construct(string $host, int $port = 0, bool $ssl = false, bool $reuse_port = false)
    {
        if ($ssl) {
            $this->setting['open_ssl'] = true;
        }
        $this->server = new SocketServer($host, $port, $reuse_port);
        $this->host = $host;
        $this->port = $this->server->port;
        $this->fd = $this->server->socket->fd;
    }

    /** @param array<string, mixed> $setting */
    public function set(array $setting): void
    {
        Options::check('Swoole\Coroutine\Server::set', $setting, Options::CLIENT + Options::SERVER);
        $this->setting = $setting + $this->setting;
    }

    public function handle(callable $fn): void
    {
        $this->fn = $fn;
    }

    public function start(): bool
    {
        if ($this->fn === null) {
            $this->errCode = \SOCKET_EINVAL;
            return false;
        }
        $handle = $this->fn;
        $this->running = true;
        $done = $this->server->serve(function (Socket $socket) use ($handle): void {
            $socket->setProtocol(\array_intersect_key($this->setting, Options::CLIENT));
            if (!Options::bool($this->setting, 'open_ssl') || $socket->sslHandshake()) {
                $handle(new Connection($socket));
            } else {
                $socket->close();
            }
        });
        $this->running = false;
        $this->errCode = $this->server->errCode;
        return $done;
    }

    public function shutdown(): bool
    {
        $this->running = false;
        return $this->server->end();
    }
}
