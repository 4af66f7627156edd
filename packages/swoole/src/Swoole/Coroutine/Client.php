<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Swoole\ClientBase;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Options;

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
        if ($length < 1) {
            return Errors::warn('length must be greater than 0', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        return $this->wire->peek($length);
    }

    public function send(string $data, float $timeout = 0): int|false
    {
        return $this->transmit($data, $timeout !== 0.0 ? $timeout : $this->timeout('write_timeout'));
    }

    public function recvfrom(int $length, mixed &$address, mixed &$port = 0): false|string
    {
        $setting = $this->setting ?? [];
        if (!$this->wire->isOpen() && isset($setting['bind_port']) && !$this->wire->bind(Options::string($setting, 'bind_address', '0.0.0.0'), Options::int($setting, 'bind_port'))) {
            return false;
        }
        $data = $this->receive($length, $this->timeout('read_timeout'));
        $peer = $this->wire->name(true);
        $address = $peer['address'] ?? '';
        $port = $peer['port'] ?? 0;
        return $data;
    }

    /** Who waits for the connection sees its end, and closes it. */
    protected function stillWaits(): bool
    {
        $this->errCode = \SWOOLE_ERROR_CO_SOCKET_CLOSE_WAIT;
        return Errors::fail($this->errCode);
    }

    public function exportSocket(): Socket|false
    {
        return $this->wire->socket() ?? false;
    }

    public function __get(string $name): mixed
    {
        if ($name !== 'socket') {
            \trigger_error('Undefined property: ' . static::class . "::\$$name", \E_USER_WARNING);
            return null;
        }
        return $this->wire->socket();
    }
}
