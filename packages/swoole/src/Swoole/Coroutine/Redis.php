<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Swoole\Errors;

/**
 * The client of 5.1, over phpredis: its methods are that extension's.
 */
class Redis
{
    public string $host = '';
    public int $port = 0;
    /** @var array<string, mixed> */
    public array $setting = [];
    public int $sock = -1;
    public bool $connected = false;
    public int $errType = 0;
    public int $errCode = 0;
    public string $errMsg = '';
    private \Redis $redis;
    private bool $defer = false;
    /** @var list<Channel> */
    private array $deferred = [];

    /** @param array<string, mixed>|null $config */
    public function __construct(?array $config = null)
    {
        $this->redis = new \Redis();
        $this->setOptions($config ?? []);
    }

    /** @param array<string, mixed> $options */
    public function setOptions(array $options): bool
    {
        $this->setting = $options + $this->setting;
        return true;
    }

    public function connect(string $host, int $port = 6379, bool $serialize = false): bool
    {
        [$this->host, $this->port] = [$host, $port];
        $timeout = $this->setting['connect_timeout'] ?? $this->setting['timeout'] ?? 5.0;
        try {
            $path = \str_starts_with($host, 'unix:/') ? \substr($host, 5) : $host;
            $this->connected = @$this->redis->connect($path, $path !== $host ? 0 : $port, \is_numeric($timeout) ? (float) $timeout : 5.0);
            if ($this->connected && $serialize) {
                $this->redis->setOption(\Redis::OPT_SERIALIZER, \Redis::SERIALIZER_PHP);
            }
            $password = $this->setting['password'] ?? null;
            if ($this->connected && \is_string($password)) {
                $this->redis->auth($password);
            }
            if ($this->connected && \is_numeric($this->setting['database'] ?? null)) {
                $this->redis->select((int) $this->setting['database']);
            }
        } catch (\RedisException $exception) {
            return $this->failed($exception);
        }
        return $this->connected || Errors::fail($this->errCode = 111);
    }

    public function setDefer(bool $defer = true): bool
    {
        $this->defer = $defer;
        return true;
    }

    public function getDefer(): bool
    {
        return $this->defer;
    }

    public function recv(): mixed
    {
        $channel = \array_shift($this->deferred);
        $result = $channel?->pop();
        return \is_array($result) ? $result[0] : false;
    }

    /** @param list<mixed> $params */
    public function request(array $params): mixed
    {
        return $this->__call('rawCommand', $params);
    }

    public function close(): bool
    {
        $this->connected = false;
        return $this->redis->close();
    }

    /** @param array<mixed> $arguments */
    public function __call(string $name, array $arguments): mixed
    {
        if (!$this->connected) {
            $this->errCode = \SWOOLE_ERROR_CLIENT_NO_CONNECTION;
            $this->errMsg = 'connection is not available';
            return Errors::fail($this->errCode);
        }
        if (!$this->defer) {
            return $this->call($name, $arguments);
        }
        $this->deferred[] = $channel = new Channel(1);
        \Swoole\Coroutine::create(function () use ($channel, $name, $arguments): void {
            $channel->push([$this->call($name, $arguments)]);
        });
        return true;
    }

    /** @param array<mixed> $arguments */
    private function call(string $name, array $arguments): mixed
    {
        if (!\method_exists($this->redis, $name)) {
            throw new \Error("Call to undefined method Swoole\\Coroutine\\Redis::$name()");
        }
        try {
            $this->redis->clearLastError();
            $result = $this->redis->{$name}(...$arguments);
        } catch (\RedisException $exception) {
            return $this->failed($exception);
        }
        $this->errMsg = (string) $this->redis->getLastError();
        $this->errType = $this->errMsg === '' ? 0 : 4;
        // Swoole's client gives null for what is not there.
        return $result === false && $this->errMsg === '' && \in_array(\strtolower($name), ['get', 'hget', 'lpop', 'rpop', 'spop', 'lindex', 'rpoplpush', 'getset'], true) ? null : $result;
    }

    private function failed(\RedisException $exception): false
    {
        $this->errMsg = $exception->getMessage();
        $this->errCode = $exception->getCode() ?: 104;
        $this->errType = 1;
        $this->connected = false;
        return Errors::fail($this->errCode);
    }
}
