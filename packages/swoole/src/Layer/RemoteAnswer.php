<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\WebSocket\Frame;

/** The answer to a request that another worker has received and detached. That worker does what it is asked. */
final class RemoteAnswer implements Answer
{
    public const METHODS = ['status', 'header', 'cookie', 'trailer', 'write', 'end', 'sendFile', 'close'];

    private bool $ended = false;

    public function __construct(private readonly Inbox $inbox, private readonly int $worker, private readonly int $number) {}

    public function isEnded(): bool
    {
        return $this->ended;
    }

    public function status(int $status, string $reason): bool
    {
        return $this->ask('status', $status, $reason);
    }

    public function header(string $name, array $values): bool
    {
        return $this->ask('header', $name, $values);
    }

    public function cookie(string $field): bool
    {
        return $this->ask('cookie', $field);
    }

    public function trailer(string $name, string $value): bool
    {
        return $this->ask('trailer', $name, $value);
    }

    public function write(string $data): bool
    {
        return $this->ask('write', $data);
    }

    public function end(string $data): bool
    {
        $this->ended = true;
        return $this->ask('end', $data);
    }

    public function sendFile(string $path, int $offset, int $length): bool
    {
        $this->ended = true;
        return $this->ask('sendFile', $path, $offset, $length);
    }

    public function upgrade(): bool
    {
        return Errors::warn('the request belongs to another worker, which alone can upgrade it');
    }

    public function push(Frame $frame): bool
    {
        return $this->upgrade();
    }

    public function receive(float $timeout): false
    {
        return $this->upgrade() ? false : false;
    }

    public function close(): bool
    {
        $this->ended = true;
        return $this->ask('close');
    }

    public function disconnect(int $code, string $reason): bool
    {
        return $this->close();
    }

    public function abandon(): void
    {
        // Another process may still end it.
        $this->ended = true;
    }

    private function ask(string $method, mixed ...$arguments): bool
    {
        return $this->inbox->ask($this->worker, [$this->number, $method, $arguments]) || Errors::fail(\SWOOLE_ERROR_SESSION_CLOSED);
    }
}
