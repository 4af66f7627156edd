<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Swoole\Http\Response;
use Swoole\Server\PipeMessage;

/**
 * Messages from worker to worker: each listens on a socket whose name holds its number. Who sends one proves to know the server's secret, as
 * other users of the machine could connect, too.
 */
final class Inbox
{
    private const PROOF_BYTES = 32;

    private bool $isOpen = false;

    public function __construct(private readonly Running $running, private readonly string $secret) {}

    /** Listens for the messages of this worker. A further call does nothing. */
    public function open(int $worker): void
    {
        if ($this->isOpen) {
            return;
        }
        $this->isOpen = true;
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

    /** As onPipeMessage. */
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
        return $this->put($worker, ['message', $server->worker_id, $message]) !== null;
    }

    /** A package of a connection, which the other worker is to handle. */
    public function passOn(int $worker, int $fd, int $port, string $data): bool
    {
        return $this->put($worker, ['package', $fd, $port, $data]) !== null;
    }

    /**
     * Asks the worker for something of a response that was detached there.
     *
     * @param array{int, string, array<mixed>} $question number, method and arguments
     */
    public function ask(int $worker, array $question): bool
    {
        $to = $this->put($worker, ['answer', ...$question]);
        return $to !== null && \stream_get_contents($to, 1) === '1';
    }

    /**
     * @param array<mixed> $message
     * @return resource|null
     */
    private function put(int $worker, array $message)
    {
        // A worker that begins, or is replaced, listens in a moment.
        for ($tries = 0; ($to = @\stream_socket_client($this->address($worker), timeout: 5.0)) === false && $tries < 200; ++$tries) {
            Coroutine\sleep(0.01);
        }
        $body = \serialize($message);
        $body = $this->proof($body) . $body;
        if ($to === false || \fwrite($to, $body) !== \strlen($body)) {
            Errors::set(\SWOOLE_ERROR_SERVER_SEND_TO_WOKER_TIMEOUT);
            return null;
        }
        \stream_socket_shutdown($to, \STREAM_SHUT_WR);
        return $to;
    }

    /** @param resource $from */
    private function receive($from): void
    {
        $body = (string) \stream_get_contents($from);
        $proof = \substr($body, 0, self::PROOF_BYTES);
        $body = \substr($body, self::PROOF_BYTES);
        if (!\hash_equals($this->proof($body), $proof)) {
            return;
        }
        $message = \unserialize($body);
        if (!\is_array($message) || !\is_int($message[1] ?? null)) {
            return;
        }
        if ($message[0] === 'answer' && \is_string($message[2] ?? null) && \is_array($message[3] ?? null)) {
            @\fwrite($from, Response::answerTo($message[1], $message[2], $message[3]) ? '1' : '0');
        } elseif ($message[0] === 'package' && \is_int($message[2] ?? null) && \is_string($message[3] ?? null)) {
            TcpBridge::take($message[2], $message[1], $message[3]);
        } elseif ($message[0] === 'message') {
            $this->tell($message[1], $message[2] ?? null);
        }
    }

    private function tell(int $sender, mixed $message): void
    {
        $server = $this->running->server;
        if (Options::bool($server->setting, 'event_object')) {
            $event = new PipeMessage();
            $event->worker_id = $event->source_worker_id = $sender;
            $event->dispatch_time = \microtime(true);
            $event->data = $message;
            $server->events->call('pipemessage', $server, $event);
            return;
        }
        $server->events->call('pipemessage', $server, $sender, $message);
    }

    private function proof(string $body): string
    {
        return \hash_hmac('sha256', $body, $this->secret, true);
    }

    private function address(int $worker): string
    {
        return "unix://\0sluice-swoole-{$this->running->server->master_pid}-$worker";
    }
}
