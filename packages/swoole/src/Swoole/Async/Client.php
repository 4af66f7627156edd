<?php

declare(strict_types=1);

namespace Swoole\Async;

use Sluice\Coroutine;
use Sluice\Swoole\Callback;
use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;

/** A client that calls back: a coroutine of its own connects and receives. */
class Client extends \Swoole\Client
{
    private const EVENTS = ['connect', 'receive', 'error', 'close', 'bufferfull', 'bufferempty'];

    /** @var array<string, callable> */
    private array $callbacks = [];
    private bool $begun = false;
    private bool $asleep = false;
    /** The coroutine, while it waits for wakeup(). */
    private int $sleeper = 0;

    public function __construct(int $type)
    {
        parent::__construct($type);
    }

    public function on(string $host, callable $callback): bool
    {
        $event = \strtolower($host);
        if (!\in_array($event, self::EVENTS, true)) {
            return Errors::warn("unknown event types[$host]", \SWOOLE_ERROR_INVALID_PARAMS);
        }
        $this->callbacks[$event] = $callback;
        return true;
    }

    public function connect(string $host, int $port = 0, float $timeout = 0.5, int $sock_flag = 0): bool
    {
        if ($this->begun) {
            return Errors::fail($this->errCode = \SOCKET_EISCONN);
        }
        $needed = ($this->type & 0xff) === \SWOOLE_SOCK_UDP || ($this->type & 0xff) === \SWOOLE_SOCK_UDP6 || ($this->type & 0xff) === \SWOOLE_SOCK_UNIX_DGRAM
            ? ['receive'] : ['connect', 'receive', 'error', 'close'];
        foreach ($needed as $event) {
            if (!isset($this->callbacks[$event])) {
                Errors::fatal('no \'on' . \ucfirst($event) . '\' callback function');
            }
        }
        $this->begun = true;
        Coroutine\start(function () use ($host, $port, $timeout): void {
            Coroutines::$hidden[Coroutine\id()] = true;
            $this->run($host, $port, $timeout);
            unset(Coroutines::$hidden[Coroutine\id()]);
        });
        return true;
    }

    public function enableSSL(?callable $onSslReady = null): bool
    {
        if ($onSslReady === null) {
            throw new \Swoole\Exception('require `onSslReady` callback');
        }
        Coroutine\start(function () use ($onSslReady): void {
            if (parent::enableSSL()) {
                Callback::call($onSslReady, [$this]);
            } else {
                $this->tell('error');
            }
        });
        return true;
    }

    /** Takes nothing from the server until wakeup(). */
    public function sleep(): bool
    {
        $this->asleep = true;
        return true;
    }

    public function wakeup(): bool
    {
        $this->asleep = false;
        if ($this->sleeper !== 0) {
            Coroutine\resume($this->sleeper);
        }
        return true;
    }

    public function close(bool $force = false): bool
    {
        if (!parent::close($force)) {
            return false;
        }
        $this->begun = false;
        $this->tell('close');
        return true;
    }

    private function run(string $host, int $port, float $timeout): void
    {
        // connect() returns first.
        Coroutine\suspend(0);
        if (!@parent::connect($host, $port, $timeout)) {
            $this->begun = false;
            $this->tell('error');
            return;
        }
        $this->tell('connect');
        $wire = $this->wire;
        while ($wire->isOpen() && $wire === $this->wire) {
            if ($this->asleep) {
                $this->sleeper = Coroutine\id();
                Coroutine\suspend();
                $this->sleeper = 0;
                continue;
            }
            $data = $this->receive(65536, -1.0);
            if ($data === false || $data === '') {
                $this->close();
                return;
            }
            $this->tell('receive', $data);
        }
    }

    private function tell(string $event, string ...$more): void
    {
        if (isset($this->callbacks[$event])) {
            Coroutines::callBack($this->callbacks[$event], [$this, ...$more]);
        }
    }
}
