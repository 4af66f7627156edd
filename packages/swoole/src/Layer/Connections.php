<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Sluice\Delivery;
use Sluice\Shared\FullException;
use Sluice\Shared\Table;
use Sluice\Tcp;
use Sluice\Udp;
use Sluice\WebSocket;

/**
 * The connections of the whole server, by their numbers: `$fd`. What is known of each is in a table that all workers share.
 *
 * @phpstan-type Row array{kind: int, port: int, at: int, uid: int, peer: string}
 */
final class Connections
{
    public const TCP = 1;
    public const WEBSOCKET = 2;
    /** How long send() waits for room with the option `send_yield`, when `send_timeout` says nothing: as long as the engine waits for a client. */
    private const SEND_SECONDS = 30.0;

    private static ?self $current = null;
    private readonly Table $table;
    /** @var array<int, int> the kinds of connections that this worker has handled */
    private array $kinds = [];
    /** @var array<string, Udp\Peer> who has sent datagrams last, by address */
    private array $peers = [];

    public function __construct()
    {
        $this->table = new Table('swoole.connections', 64 << 20, evict: true);
        self::$current = $this;
    }

    public static function current(): ?self
    {
        return self::$current;
    }

    public function opened(int $id, int $kind, int $port, string $peer): void
    {
        $this->kinds[$id] = $kind;
        try {
            $this->table->set((string) $id, ['kind' => $kind, 'port' => $port, 'at' => \time(), 'uid' => 0, 'peer' => $peer]);
        } catch (FullException) {
            // Oldest entries make room.
        }
    }

    public function closed(int $id): void
    {
        unset($this->kinds[$id]);
        $this->table->remove((string) $id);
    }

    /** A peer that datagrams can be sent to. */
    public function heard(Udp\Peer $peer): void
    {
        $this->peers[$peer->address()] = $peer;
        if (\count($this->peers) > 10_000) {
            \array_shift($this->peers);
        }
    }

    public function send(int|string $id, string $data): bool
    {
        if (\is_string($id)) {
            $socket = @\stream_socket_client("udg://$id");
            return $socket !== false && \fwrite($socket, $data) === \strlen($data);
        }
        if ($data === '') {
            return Errors::warn('data is empty', \SWOOLE_ERROR_NO_PAYLOAD);
        }
        $delivery = $this->sendOnce($id, $data);
        return $this->told($delivery === Delivery::Dropped ? $this->sendAgain(fn(): Delivery => $this->sendOnce($id, $data)) : $delivery);
    }

    public function sendTo(string $host, int $port, string $data): bool
    {
        if ($data === '') {
            return Errors::warn('data is empty', \SWOOLE_ERROR_NO_PAYLOAD);
        }
        $address = \str_contains($host, ':') ? "[$host]:$port" : "$host:$port";
        $peer = $this->peers[$address] ?? null;
        if ($peer !== null) {
            return $peer->send($data) !== Delivery::Dropped;
        }
        $socket = @\stream_socket_client(\str_starts_with($host, '/') ? "udg://$host" : "udp://$address");
        return $socket !== false && \fwrite($socket, $data) === \strlen($data);
    }

    public function close(int $id): bool
    {
        return $this->kind($id) === self::WEBSOCKET
            ? $this->told(WebSocket\Connection::fromId($id)->close())
            : $this->told(Tcp\Connection::fromId($id)->close());
    }

    public function exists(int $id): bool
    {
        return $id > 0 && ($this->kind($id) === self::WEBSOCKET ? WebSocket\Connection::fromId($id)->isOpen() : Tcp\Connection::fromId($id)->isOpen());
    }

    public function isWebSocket(int $id): bool
    {
        return $this->kind($id) === self::WEBSOCKET && WebSocket\Connection::fromId($id)->isOpen();
    }

    public function bind(int $id, int $uid): bool
    {
        $row = $this->row($id);
        if ($row === null || $row['uid'] !== 0) {
            return false;
        }
        return $this->table->compareAndSet((string) $id, $row, ['uid' => $uid] + $row);
    }

    /** @return array<string, mixed>|false */
    public function info(int $id): array|false
    {
        $row = $this->row($id);
        if ($row === null) {
            return Errors::fail(\SWOOLE_ERROR_SESSION_NOT_EXIST);
        }
        [$host, $port] = Address::split($row['peer']);
        $info = [
            'server_port' => $row['port'], 'server_fd' => 3, 'socket_fd' => 0, 'socket_type' => \SWOOLE_SOCK_TCP, 'remote_port' => $port, 'remote_ip' => $host,
            'reactor_id' => 0, 'connect_time' => $row['at'], 'last_time' => \time(), 'last_recv_time' => (float) \time(), 'last_send_time' => (float) \time(),
            'last_dispatch_time' => (float) \time(), 'close_errno' => 0, 'recv_queued_bytes' => 0,
            'send_queued_bytes' => $row['kind'] === self::WEBSOCKET ? WebSocket\Connection::fromId($id)->queuedBytes() : Tcp\Connection::fromId($id)->queuedBytes(),
        ];
        if ($row['uid'] !== 0) {
            $info['uid'] = $row['uid'];
        }
        if ($row['kind'] === self::WEBSOCKET) {
            $info['websocket_status'] = \WEBSOCKET_STATUS_ACTIVE;
        }
        return $info;
    }

    /**
     * @param int $port only of this listener; 0: of all
     * @return list<int>
     */
    public function all(int $port = 0): array
    {
        $ids = \array_map(intval(...), $this->table->listKeys());
        if ($port !== 0) {
            $ids = \array_values(\array_filter($ids, fn(int $id): bool => ($this->row($id)['port'] ?? 0) === $port));
        }
        \sort($ids);
        return $ids;
    }

    /** @return list<int> */
    public function list(int $after, int $count): array
    {
        return \array_slice(\array_values(\array_filter($this->all(), static fn(int $id): bool => $id > $after)), 0, $count);
    }

    public function count(): int
    {
        return $this->table->count();
    }

    private function kind(int $id): int
    {
        return $this->kinds[$id] ?? $this->row($id)['kind'] ?? self::TCP;
    }

    /** @return Row|null */
    private function row(int $id): ?array
    {
        /** @var Row|null $row */
        $row = $id > 0 ? $this->table->get((string) $id) : null;
        return $row;
    }

    private function sendOnce(int $id, string $data): Delivery
    {
        return $this->kind($id) === self::WEBSOCKET ? WebSocket\Connection::fromId($id)->send($data, true) : Tcp\Connection::fromId($id)->send($data);
    }

    /**
     * After a message was dropped. With the option `send_yield` it waits for room, up to `send_timeout`, and suspends meanwhile.
     *
     * @param \Closure(): Delivery $send
     */
    public function sendAgain(\Closure $send): Delivery
    {
        $delivery = Delivery::Dropped;
        $setting = Running::current()?->server->setting ?? [];
        // Processes that are no workers have nobody to hold up.
        $isWorker = (Running::current()?->server->worker_id ?? -1) >= 0;
        if ($isWorker && !Options::bool($setting, 'send_yield')) {
            return $delivery;
        }
        $deadline = \microtime(true) + (Options::float($setting, 'send_timeout') ?: self::SEND_SECONDS);
        for ($pause = 0.001; $delivery === Delivery::Dropped && \microtime(true) < $deadline; $pause = \min(2 * $pause, 0.05)) {
            Coroutine\sleep($pause);
            $delivery = $send();
        }
        return $delivery;
    }

    private function told(Delivery $delivery): bool
    {
        return match ($delivery) {
            Delivery::Closed => Errors::fail(\SWOOLE_ERROR_SESSION_NOT_EXIST),
            Delivery::Dropped => Errors::fail(\SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW),
            default => true,
        };
    }
}
