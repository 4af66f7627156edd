<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\Errors;
use Sluice\Swoole\FilePart;
use Sluice\Swoole\Events;
use Sluice\Swoole\Options;
use Sluice\Swoole\Running;
use Sluice\Swoole\Starter;
use Swoole\Server\Port;

class Server
{
    /** @var array<string, mixed> */
    public array $setting = [];
    public ?Connection\Iterator $connections = null;
    public string $host = '';
    public int $port = 0;
    public int $type = 0;
    public bool $ssl = false;
    public int $mode = 0;
    /** @var list<Port> */
    public array $ports = [];
    public int $master_pid = 0;
    public int $manager_pid = 0;
    public int $worker_id = -1;
    public bool $taskworker = false;
    public int $worker_pid = 0;
    public ?int $stats_timer = null;
    public bool $admin_server = false;
    /** @internal */
    public Events $events;
    /** @internal what there is once it serves */
    public ?Running $running = null;
    /**
     * @internal
     * @var list<Process>
     */
    public array $processes = [];
    /** @internal whether it has served, and was shut down */
    public bool $ended = false;
    private static ?self $only = null;

    public function __construct(string $host = '0.0.0.0', int $port = 0, int $mode = \SWOOLE_BASE, int $sock_type = \SWOOLE_SOCK_TCP)
    {
        if ($mode !== \SWOOLE_BASE && $mode !== \SWOOLE_PROCESS) {
            throw new \Error("invalid \$mode parameters $mode");
        }
        if (self::$only?->running !== null) {
            throw new Exception('server is running, unable to create it again');
        }
        self::$only = $this;
        $this->mode = $mode;
        $this->events = new Events(Events::SERVER);
        $first = new Port($host, $port, $sock_type, $this->events);
        $this->ports = [$first];
        $this->host = $host;
        $this->port = $first->port;
        $this->type = $sock_type & ~\SWOOLE_SSL;
        $this->ssl = ($sock_type & \SWOOLE_SSL) !== 0;
        $this->connections = new Connection\Iterator();
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): bool
    {
        if ($this->running !== null) {
            return Errors::warn('server is running, unable to execute ' . static::class . '->set()', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        Options::check('Swoole\Server::set', $settings, Options::SERVER);
        $this->setting = $settings + $this->setting;
        $this->ports[0]->take($settings);
        return true;
    }

    public function on(string $event_name, callable $callback): bool
    {
        if ($this->running !== null) {
            return Errors::warn('server is running, unable to register event callback function', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        return $this->events->set($event_name, $callback);
    }

    /** @return \Closure|string|array<mixed>|null */
    public function getCallback(string $event_name): \Closure|string|array|null
    {
        $callback = $this->events->get($event_name);
        return match (true) {
            \is_object($callback) => \Closure::fromCallable($callback),
            \is_string($callback), \is_array($callback) => $callback,
            default => null,
        };
    }

    public function listen(string $host, int $port, int $sock_type): false|Port
    {
        if ($this->running !== null) {
            return Errors::warn('server is running, unable to listen port', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        try {
            $listener = new Port($host, $port, $sock_type, new Events(Events::PORT));
        } catch (Exception $exception) {
            return Errors::warn($exception->getMessage(), $exception->getCode());
        }
        return $this->ports[] = $listener;
    }

    public function addlistener(string $host, int $port, int $sock_type): false|Port
    {
        return $this->listen($host, $port, $sock_type);
    }

    public function start(): bool
    {
        if ($this->running !== null) {
            return Errors::warn('server is running, unable to execute ' . static::class . '->start()', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        if ($this->ended) {
            // Told also where swoole.display_errors is off.
            \trigger_error('Swoole\Server::start(): The server have been shutdown, unable to execute ' . static::class . '->start()', \E_USER_WARNING);
            return false;
        }
        if (\Sluice\Coroutine\id() !== 0) {
            return Errors::warn('The event-loop has already been created, unable to start ' . static::class, \SWOOLE_ERROR_WRONG_OPERATION);
        }
        return (new Starter($this))->run();
    }

    public function addProcess(Process $process): int|false
    {
        if ($this->running !== null) {
            return Errors::warn('server is running, unable to add process', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        $this->processes[] = $process;
        return $process->id = \count($this->processes) - 1;
    }

    public function addCommand(string $name, int $accepted_process_types, callable $callback): bool
    {
        return Errors::warn('this method is not offered: use sendMessage()');
    }

    public function command(string $name, int $process_id, int $process_type, mixed $data, bool $json_decode = true): false
    {
        return Errors::warn('this method is not offered: use sendMessage()');
    }

    // -- In a worker

    public function send(int|string|null $fd, string $send_data, int $serverSocket = -1): bool
    {
        if ($fd === null) {
            return Errors::warn('fd can not be null', \SWOOLE_ERROR_SESSION_INVALID_ID);
        }
        if (\is_int($fd) && $fd <= 0) {
            return Errors::warn("invalid fd[$fd]", \SWOOLE_ERROR_SESSION_INVALID_ID);
        }
        return $this->live()?->connections->send($fd, $send_data) ?? false;
    }

    public function sendwait(int $conn_fd, string $send_data): bool
    {
        return $this->send($conn_fd, $send_data);
    }

    public function sendto(string $ip, int $port, string $send_data, int $server_socket = -1): bool
    {
        return $this->live()?->connections->sendTo($ip, $port, $send_data) ?? false;
    }

    public function sendfile(int $conn_fd, string $filename, int $offset = 0, int $length = 0): bool
    {
        $data = FilePart::read($filename, $offset, $length);
        if ($data === false || $data === '') {
            return Errors::warn("sendfile name[$filename] doesn't exist, or is empty", $data === '' ? \SWOOLE_ERROR_FILE_EMPTY : \SWOOLE_ERROR_FILE_NOT_EXIST);
        }
        return $this->send($conn_fd, $data);
    }

    public function close(int $fd, bool $reset = false): bool
    {
        return $this->live()?->connections->close($fd) ?? false;
    }

    public function exists(int $fd): bool
    {
        return $this->live()?->connections->exists($fd) ?? false;
    }

    public function exist(int $fd): bool
    {
        return $this->exists($fd);
    }

    public function bind(int $fd, int $uid): bool
    {
        return $this->live()?->connections->bind($fd, $uid) ?? false;
    }

    public function protect(int $fd, bool $is_protected = true): bool
    {
        return Errors::warn('this method is not offered: leave out heartbeat_idle_time');
    }

    public function confirm(int $fd): bool
    {
        return Errors::warn('this method is not offered');
    }

    public function pause(int $fd): bool
    {
        return Errors::warn('this method is not offered: a handler that waits holds its connection back');
    }

    public function resume(int $fd): bool
    {
        return Errors::warn('this method is not offered: a handler that waits holds its connection back');
    }

    /** @return array<string, mixed>|false */
    public function getClientInfo(int $fd, int $reactor_id = -1, bool $ignoreError = false): false|array
    {
        return $this->live()?->connections->info($fd) ?? false;
    }

    /** @return array<string, mixed>|false */
    public function connection_info(int $fd, int $reactor_id = -1, bool $ignoreError = false): false|array
    {
        return $this->getClientInfo($fd, $reactor_id, $ignoreError);
    }

    /** @return list<int>|false */
    public function getClientList(int $start_fd = 0, int $find_count = 10): false|array
    {
        if ($find_count > 100) {
            return Errors::warn('swoole connection list max count is 100');
        }
        return $this->live()?->connections->list($start_fd, $find_count) ?: false;
    }

    /** @return list<int>|false */
    public function connection_list(int $start_fd = 0, int $find_count = 10): false|array
    {
        return $this->getClientList($start_fd, $find_count);
    }

    /** @return list<int>|false */
    public function heartbeat(bool $ifCloseConnection = true): false|array
    {
        return [];
    }

    public function sendMessage(mixed $message, int $dst_worker_id): bool
    {
        return $this->live()?->inbox->send($message, $dst_worker_id) ?? false;
    }

    public function task(mixed $data, int $taskWorkerIndex = -1, ?callable $finishCallback = null): int|false
    {
        return $this->live()?->tasks?->dispatch($data, $taskWorkerIndex, $finishCallback) ?? $this->noTasks();
    }

    public function taskwait(mixed $data, float $timeout = 0.5, int $taskWorkerIndex = -1): mixed
    {
        $tasks = $this->live()?->tasks;
        return $tasks === null ? $this->noTasks() : $tasks->wait($data, $timeout);
    }

    /**
     * @param array<array-key, mixed> $tasks
     * @return array<array-key, mixed>|false
     */
    public function taskWaitMulti(array $tasks, float $timeout = 0.5): false|array
    {
        $pool = $this->live()?->tasks;
        return $pool === null ? $this->noTasks() : $pool->waitAll($tasks, $timeout, false);
    }

    /**
     * @param array<array-key, mixed> $tasks
     * @return array<array-key, mixed>|false
     */
    public function taskCo(array $tasks, float $timeout = 0.5): array|false
    {
        $pool = $this->live()?->tasks;
        return $pool === null ? $this->noTasks() : $pool->waitAll($tasks, $timeout, true);
    }

    public function finish(mixed $data): bool
    {
        return $this->live()?->tasks?->finish($data) ?? false;
    }

    public function reload(bool $only_reload_taskworker = false): bool
    {
        return $this->signal(\SIGUSR1);
    }

    public function shutdown(): bool
    {
        return $this->signal(\SIGTERM);
    }

    /** Replaces a worker: this one when no other is named. */
    public function stop(int $workerId = -1): bool
    {
        $running = $this->live();
        if ($running === null) {
            return false;
        }
        return $running->endWorker($workerId);
    }

    /** @return array<string, int|float> */
    public function stats(): array
    {
        return $this->live()?->stats() ?? [];
    }

    public function getWorkerId(): int|false
    {
        return $this->worker_id >= 0 ? $this->worker_id : false;
    }

    public function getWorkerPid(int $worker_id = -1): int|false
    {
        return $worker_id < 0 || $worker_id === $this->worker_id ? ($this->worker_pid ?: false) : ($this->live()?->pidOf($worker_id) ?? false);
    }

    public function getWorkerStatus(int $worker_id = -1): int|false
    {
        if ($this->running === null) {
            return false;
        }
        return $worker_id < 0 || $worker_id === $this->worker_id ? $this->running->status : \SWOOLE_WORKER_IDLE;
    }

    public function getManagerPid(): int
    {
        return $this->manager_pid;
    }

    public function getMasterPid(): int
    {
        return $this->master_pid;
    }

    public function getLastError(): int
    {
        return Errors::last();
    }

    public function getSocket(int $port = 0): false
    {
        return Errors::warn('this method is not offered: listeners belong to a process without PHP');
    }

    /** @internal */
    public function live(): ?Running
    {
        if ($this->running === null) {
            Errors::warn('server is not running', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        return $this->running;
    }

    private function noTasks(): false
    {
        return $this->running === null ? false : Errors::warn('task method cannot be executed without task worker');
    }

    private function signal(int $number): bool
    {
        if ($this->live() === null) {
            return false;
        }
        return \posix_kill($this->master_pid, $number);
    }
}
