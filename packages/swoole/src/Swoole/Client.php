<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\ClientBase;
use Sluice\Swoole\Errors;

class Client extends ClientBase
{
    public const MSG_OOB = 1;
    public const MSG_PEEK = 2;
    public const MSG_DONTWAIT = 64;
    public const MSG_WAITALL = 256;
    public const SHUT_RDWR = 2;
    public const SHUT_RD = 0;
    public const SHUT_WR = 1;

    public int $sock = -1;
    public bool $reuse = false;
    public int $reuseCount = 0;
    public string $id = '';

    public function __construct(int $type, bool $async = false, string $id = '')
    {
        if ($async) {
            throw new Exception('please install the ext-async extension, using Swoole\Async\Client');
        }
        parent::__construct($type & 0x2ff);
        $this->id = $id;
    }

    public function connect(string $host, int $port = 0, float $timeout = 0.5, int $sock_flag = 0): bool
    {
        $connected = parent::connect($host, $port, $timeout, $sock_flag);
        $this->sock = $this->fd;
        return $connected || $this->errCode === 106 ? $connected : Errors::warn("connect to server[$host:$port] failed, Error: $this->errMsg[$this->errCode]", $this->errCode);
    }

    public function recv(int $size = 65536, int $flag = 0): string|false
    {
        if ($flag & self::MSG_PEEK) {
            return $this->wire->peek($size);
        }
        if (($flag & self::MSG_WAITALL) === 0) {
            $data = $this->receive($size, $this->timeout('read_timeout'));
            if ($data === false && $this->errCode === \SOCKET_ETIMEDOUT) {
                // What recv() says with SO_RCVTIMEO.
                $this->errCode = \SOCKET_EAGAIN;
                Errors::set($this->errCode);
            }
            return $data;
        }
        $all = '';
        while (\strlen($all) < $size) {
            $data = $this->receive($size - \strlen($all), $this->timeout('read_timeout'));
            if ($data === false || $data === '') {
                return $all === '' ? $data : $all;
            }
            $all .= $data;
        }
        return $all;
    }

    public function send(string $data, int $flag = 0): int|false
    {
        return $this->transmit($data, $this->timeout('write_timeout'));
    }

    public function shutdown(int $how): bool
    {
        $stream = $this->wire->stream();
        return $stream !== null && \stream_socket_shutdown($stream, match ($how) {
            0 => \STREAM_SHUT_RD,
            1 => \STREAM_SHUT_WR,
            default => \STREAM_SHUT_RDWR,
        });
    }

    public function close(bool $force = false): bool
    {
        return parent::close();
    }

    public function getSocket(): \Socket|false
    {
        $stream = $this->wire->stream();
        $socket = $stream === null ? false : \socket_import_stream($stream);
        return $socket instanceof \Socket ? $socket : false;
    }
}
