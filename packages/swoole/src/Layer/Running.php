<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Server;
use Sluice\Shared\Counter;
use Sluice\Shared\Table;
use Sluice\Worker;
use Swoole\Server as SwooleServer;

/** What a server has while it serves, in each of its processes. */
final class Running
{
    public readonly Connections $connections;
    public readonly Inbox $inbox;
    public ?Tasks $tasks = null;
    /** What this worker does: SWOOLE_WORKER_BUSY in a handler until it waits, SWOOLE_WORKER_EXIT at its end. */
    public int $status = \SWOOLE_WORKER_IDLE;
    private readonly Counter $accepted;
    private readonly Counter $requests;
    private readonly Table $pids;
    private readonly int $begun;
    private static ?self $current = null;

    public function __construct(public readonly SwooleServer $server, public readonly Server $engine)
    {
        $this->connections = new Connections();
        $this->accepted = new Counter('swoole.accepted');
        $this->requests = new Counter('swoole.requests');
        $this->pids = new Table('swoole.pids', 1 << 20);
        $this->pids->add('secret', \random_bytes(32));
        $secret = $this->pids->get('secret');
        $this->inbox = new Inbox($this, \is_string($secret) ? $secret : '');
        Coroutines::$options += \array_intersect_key($server->setting, ['enable_preemptive_scheduler' => true]);
        self::$current = $this;
        $this->begun = \time();
    }

    public static function current(): ?self
    {
        return self::$current;
    }

    /** The number of this worker; 0 outside of workers. */
    public static function worker(): int
    {
        return \max(0, self::$current?->server->worker_id ?? 0);
    }

    /** Call it in each process of the server as it begins. */
    public function enterProcess(): void
    {
        Forked::begin();
        $this->server->worker_pid = (int) \getmypid();
        // The process that lives through reloads and takes signals.
        $this->server->manager_pid = $this->server->master_pid;
    }

    /** Whether nobody has asked this before, in all boots of the script. */
    public function isFirst(string $what): bool
    {
        return $this->pids->add("first.$what", true);
    }

    public function notePid(int $worker, int $pid): void
    {
        $this->pids->set("worker.$worker", $pid);
    }

    public function pidOf(int $worker): int|false
    {
        $pid = $this->pids->get("worker.$worker");
        return \is_int($pid) ? $pid : false;
    }

    public function countAccepted(): void
    {
        $this->accepted->add();
    }

    public function countRequest(): void
    {
        $this->requests->add();
    }

    /** Ends a worker once another one can take its place. */
    public function endWorker(int $worker): bool
    {
        if ($worker >= 0 && $worker !== $this->server->worker_id) {
            return Errors::warn('stop() ends only the worker that calls it: sendMessage() can ask another one to call it');
        }
        Worker::replace();
        return true;
    }

    /** @return array<string, int|float> */
    public function stats(): array
    {
        $stats = $this->engine->stats();
        $connections = $this->connections->count();
        $workers = Options::int($this->server->setting, 'worker_num', 1);
        $tasks = Options::int($this->server->setting, 'task_worker_num');
        $accepted = \max($this->accepted->get(), $connections);
        return [
            'start_time' => $this->begun, 'connection_num' => \max($stats->connections, $connections), 'abort_count' => 0, 'accept_count' => $accepted,
            'close_count' => $accepted - $connections, 'worker_num' => $workers, 'task_worker_num' => $tasks, 'user_worker_num' => \count($this->server->processes),
            'idle_worker_num' => $workers, 'task_idle_worker_num' => $tasks, 'tasking_num' => 0, 'request_count' => $stats->messagesReceived,
            'dispatch_count' => $stats->messagesReceived, 'response_count' => $this->requests->get(), 'total_recv_bytes' => $stats->bytesReceived,
            'total_send_bytes' => $stats->bytesSent, 'pipe_packet_msg_id' => 0, 'session_round' => 0, 'min_fd' => 0, 'max_fd' => 0,
            'worker_request_count' => 0, 'worker_response_count' => 0, 'worker_dispatch_count' => 0, 'worker_concurrency' => 0,
            'coroutine_num' => \count(Coroutines::numbers()), 'coroutine_peek_num' => \max(Coroutines::$peak, \Sluice\Coroutine\stats()->peak - \count(Coroutines::$hidden)),
        ];
    }
}
