<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Tcp\Connection;
use Sluice\Tcp\Handler;
use Swoole\Server\Event;

/** Connections of TCP as onConnect, onReceive and onClose. */
final class TcpBridge implements Handler
{
    private readonly string $terminator;
    private readonly bool $asObject;
    private readonly ?Dispatcher $dispatcher;
    /** @var array<int, self> by their ports */
    private static array $all = [];
    /** @var array<int, string> what has come of a package, when PHP cuts them */
    private array $parts = [];

    /** @param (\Closure(string): (array{string, string}|null|false))|null $cutter */
    public function __construct(private readonly Running $running, private readonly Events $events, private readonly int $port, private readonly ?\Closure $cutter)
    {
        $setting = $running->server->setting;
        foreach ($running->server->ports as $one) {
            if ($one->port === $port && $one->setting !== null) {
                $setting = $one->setting + $setting;
            }
        }
        $this->terminator = Framings::terminator($setting);
        $this->asObject = Options::bool($running->server->setting, 'event_object');
        $this->dispatcher = Dispatcher::of($running, $setting);
        self::$all[$port] = $this;
    }

    public function open(Connection $who): void
    {
        $this->running->connections->opened($who->id, Connections::TCP, $this->port, $who->peer());
        $this->running->countAccepted();
        $this->tell('connect', $who->id, null);
    }

    public function message(Connection $who, string $data): void
    {
        if ($this->cutter === null) {
            $this->receive($who->id, $data . $this->terminator);
            return;
        }
        $rest = ($this->parts[$who->id] ?? '') . $data;
        while ($rest !== '' && \is_array($cut = ($this->cutter)($rest))) {
            [$package, $rest] = $cut;
            $this->receive($who->id, $package);
        }
        if (($cut ?? null) === false) {
            unset($this->parts[$who->id]);
            $who->close();
            return;
        }
        $this->parts[$who->id] = $rest;
    }

    public function close(Connection $who): void
    {
        unset($this->parts[$who->id]);
        $this->tell('close', $who->id, null);
        $this->running->connections->closed($who->id);
    }

    /** A package that another worker has passed on. */
    public static function take(int $port, int $id, string $package): void
    {
        (self::$all[$port] ?? null)?->tell('receive', $id, $package);
    }

    private function receive(int $id, string $package): void
    {
        if ($this->dispatcher === null || $this->dispatcher->keeps($id, $this->port, $package)) {
            $this->tell('receive', $id, $package);
        }
    }

    private function tell(string $event, int $id, ?string $data): void
    {
        $server = $this->running->server;
        $this->running->status = \SWOOLE_WORKER_BUSY;
        if ($this->asObject) {
            $object = new Event();
            $object->fd = $id;
            $object->dispatch_time = \microtime(true);
            $object->data = $data ?? '';
            $this->events->start($event, [$server, $object]);
        } elseif ($data === null) {
            $this->events->start($event, [$server, $id, 0]);
        } else {
            $this->events->start($event, [$server, $id, 0, $data]);
        }
        $this->running->status = \SWOOLE_WORKER_IDLE;
    }
}
