<?php

declare(strict_types=1);

namespace Swoole\Server;

use Sluice\Swoole\Errors;
use Sluice\Swoole\Events;
use Sluice\Swoole\KnownPorts;
use Sluice\Swoole\Options;
use Swoole\Connection\Iterator;
use Swoole\Exception;

class Port
{
    public string $host = '';
    public int $port = 0;
    public int $type = 0;
    public int $sock = -1;
    public bool $ssl = false;
    /** @var array<string, mixed>|null */
    public ?array $setting = null;
    public Iterator $connections;
    /** @internal */
    public Events $events;

    /** @internal */
    public function __construct(string $host, int $port, int $type, Events $events)
    {
        if (($type & ~\SWOOLE_SSL) < \SWOOLE_SOCK_TCP || ($type & 0xff) > \SWOOLE_SOCK_UNIX_DGRAM) {
            throw new Exception("failed to listen server port[$host:$port], Error: Unknown socket type[" . \SWOOLE_ERROR_BAD_SOCKET_TYPE . ']', \SWOOLE_ERROR_BAD_SOCKET_TYPE);
        }
        if ($port < 0 || $port > 65535) {
            throw new Exception("failed to listen server port[$host:$port], Error: Invalid port[" . \SWOOLE_ERROR_BAD_PORT . ']', \SWOOLE_ERROR_BAD_PORT);
        }
        $this->host = $host;
        $this->type = $type & ~\SWOOLE_SSL;
        $this->ssl = ($type & \SWOOLE_SSL) !== 0;
        $this->events = $events;
        $this->port = $this->isUnix() ? 0 : $this->probe($host, $port);
        $this->connections = new Iterator($this->port);
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): void
    {
        Options::check('Swoole\Server\Port::set', $settings, Options::PORT);
        $this->take($settings);
    }

    public function on(string $event_name, callable $callback): bool
    {
        return $this->events->set($event_name, $callback);
    }

    public function getCallback(string $event_name): ?\Closure
    {
        $callback = $this->events->get($event_name);
        return $callback === null ? null : \Closure::fromCallable($callback);
    }

    public function getSocket(): false
    {
        return Errors::warn('this method is not offered: listeners belong to a process without PHP');
    }

    /**
     * @internal
     * @param array<string, mixed> $settings
     */
    public function take(array $settings): void
    {
        $this->setting = $settings + ($this->setting ?? []);
    }

    /** @internal */
    public function isUnix(): bool
    {
        return $this->type === \SWOOLE_SOCK_UNIX_STREAM || $this->type === \SWOOLE_SOCK_UNIX_DGRAM;
    }

    /** @internal */
    public function isDatagram(): bool
    {
        return $this->type === \SWOOLE_SOCK_UDP || $this->type === \SWOOLE_SOCK_UDP6 || $this->type === \SWOOLE_SOCK_UNIX_DGRAM;
    }

    /** @internal */
    public function address(): string
    {
        if ($this->isUnix()) {
            return "unix:$this->host";
        }
        $host = $this->host === 'localhost' ? '127.0.0.1' : $this->host;
        return \str_contains($host, ':') ? "[$host]:$this->port" : "$host:$this->port";
    }

    /**
     * Those of the engine's listeners: one of IPv6 takes no IPv4.
     *
     * @internal
     * @return list<string>
     */
    public function addresses(): array
    {
        return $this->host === '::' && !$this->isUnix() ? [$this->address(), "0.0.0.0:$this->port"] : [$this->address()];
    }

    /** Finds out whether the address can be listened on, and a free port for 0, as Swoole binds here already. */
    private function probe(string $host, int $port): int
    {
        $known = KnownPorts::next();
        if ($known !== null) {
            return $known;
        }
        $host = $host === 'localhost' ? '127.0.0.1' : $host;
        $socket = \socket_create(\str_contains($host, ':') ? \AF_INET6 : \AF_INET, $this->isDatagram() ? \SOCK_DGRAM : \SOCK_STREAM, 0);
        if ($socket === false) {
            return $port;
        }
        if (!$this->isDatagram()) {
            \socket_set_option($socket, \SOL_SOCKET, \SO_REUSEADDR, 1);
        }
        if (!@\socket_bind($socket, $host, $port) || (!$this->isDatagram() && !@\socket_listen($socket))) {
            $code = \socket_last_error($socket);
            throw new Exception("failed to listen server port[$host:$port], Error: " . \posix_strerror($code) . "[$code]", $code);
        }
        \socket_getsockname($socket, $address, $found);
        \socket_close($socket);
        return \is_int($found) ? $found : $port;
    }
}
