<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;

/** Messages from worker to worker: each listens on a socket whose name holds its number. */
final class Inbox
{
    public function __construct(private readonly Running $running, private readonly string $name) {}

    /** Listens for the messages of this worker. */
    public function open(int $worker): void
    {
        if (!$this->running->server->events->has('pipemessage')) {
            return;
        }
        Coroutine\start(function () use ($worker): void {
            Coroutines::$hidden[Coroutine\id()] = true;
            // After a reload the worker before has the name until it ends.
            while (($listener = @\stream_socket_server($this->address($worker))) === false) {
                Coroutine\sleep(0.02);
            }
            while (!\Sluice\Worker::isStopping()) {
                $from = @\stream_socket_accept($listener, 1.0);
                if ($from !== false) {
                    Coroutines::start($this->receive(...), [$from]);
                }
            }
        });
    }

    public function send(mixed $message, int $worker): bool
    {
        $server = $this->running->server;
        if (!$server->events->has('pipemessage')) {
            return Errors::warn('onPipeMessage is null, cannot use sendMessage');
        }
        $most = Options::int($server->setting, 'worker_num') + Options::int($server->setting, 'task_worker_num');
        if ($worker < 0 || $worker >= $most) {
            return Errors::warn("worker_id[$worker] is invalid", \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if ($worker === $server->worker_id) {
            return Errors::warn('cannot send message to self', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        // A worker that begins, or is replaced, listens in a moment.
        for ($tries = 0; ($to = @\stream_socket_client($this->address($worker), timeout: 5.0)) === false && $tries < 200; ++$tries) {
            Coroutine\sleep(0.01);
        }
        $body = \serialize([$server->worker_id, $message]);
        if ($to === false || \fwrite($to, $body) !== \strlen($body)) {
            return Errors::fail(\SWOOLE_ERROR_SERVER_SEND_TO_WOKER_TIMEOUT);
        }
        \stream_socket_shutdown($to, \STREAM_SHUT_WR);
        return true;
    }

    /** @param resource $from */
    private function receive($from): void
    {
        $message = \unserialize((string) \stream_get_contents($from));
        if (!\is_array($message) || !\is_int($message[0] ?? null)) {
            return;
        }
        $server = $this->running->server;
        if (Options::bool($server->setting, 'event_object')) {
            $event = new \Swoole\Server\PipeMessage();
            $event->worker_id = $event->source_worker_id = $message[0];
            $event->dispatch_time = \microtime(true);
            $event->data = $message[1] ?? null;
            $server->events->call('pipemessage', $server, $event);
            return;
        }
        $server->events->call('pipemessage', $server, $message[0], $message[1] ?? null);
    }

    private function address(int $worker): string
    {
        return "unix://\0sluice-swoole-$this->name-$worker";
    }
}
