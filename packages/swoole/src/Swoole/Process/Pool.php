<?php

declare(strict_types=1);

namespace Swoole\Process;

use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Forked;
use Sluice\Swoole\Loop;
use Swoole\Exception;
use Swoole\Process;

/** Processes that are forked again when they end. */
class Pool
{
    public int $master_pid = -1;
    public int $workerPid = -1;
    public int $workerId = -1;
    public bool $workerRunning = false;
    public bool $running = false;
    /** @var array<int, Process>|null */
    public ?array $workers = null;
    /** @var array<string, callable> */
    private array $callbacks = [];
    /** What the callback of a message has written. */
    private string $answer = '';
    /** @var array<int, int> numbers of workers, by process */
    private array $numbers = [];
    /** @var resource|null */
    private $listener = null;
    /** @var resource|null the connection whose message is handled */
    private $client = null;

    public function __construct(private int $worker_num, private int $ipc_type = \SWOOLE_IPC_NONE, int $msgqueue_key = 0, private bool $enable_coroutine = false)
    {
        if ($worker_num < 1) {
            throw new Exception('the parameter $worker_num must be greater than 0', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if ($ipc_type === \SWOOLE_IPC_MSGQUEUE) {
            throw new Exception("SWOOLE_IPC_MSGQUEUE ($msgqueue_key) is not offered by Swoole\\Process\\Pool: use SWOOLE_IPC_SOCKET", \SWOOLE_ERROR_OPERATION_NOT_SUPPORT);
        }
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): void
    {
        $this->enable_coroutine = (bool) ($settings['enable_coroutine'] ?? $this->enable_coroutine);
    }

    public function on(string $name, callable $callback): bool
    {
        if ($this->running) {
            return Errors::warn('process pool is running. unable to register event callback function');
        }
        $event = \strtolower($name);
        if (!\in_array($event, ['start', 'shutdown', 'workerstart', 'workerstop', 'workerexit', 'message'], true)) {
            return Errors::warn("unknown event type[$name]");
        }
        if ($event === 'message' && $this->ipc_type === \SWOOLE_IPC_NONE) {
            return Errors::warn('cannot set onMessage event with ipc_type=0');
        }
        $this->callbacks[$event] = $callback;
        return true;
    }

    public function listen(string $host, int $port = 0, int $backlog = 2048): bool
    {
        if ($this->ipc_type !== \SWOOLE_IPC_SOCKET) {
            return Errors::warn('unsupported ipc type[' . $this->ipc_type . ']', \SWOOLE_ERROR_OPERATION_NOT_SUPPORT);
        }
        $address = \str_starts_with($host, 'unix:') ? 'unix://' . \substr($host, 5) : "tcp://$host:$port";
        $listener = @\stream_socket_server($address, $code, $text);
        if ($listener === false) {
            return Errors::warn("listen failed: $text", (int) $code);
        }
        $this->listener = $listener;
        return true;
    }

    public function getProcess(int $work_id = -1): Process|false
    {
        $number = $work_id < 0 ? $this->workerId : $work_id;
        return $this->workers[$number] ?? Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS);
    }

    public function write(string $data): bool
    {
        if ($this->client === null || $data === '') {
            return false;
        }
        // One answer, when the callback has ended.
        $this->answer .= $data;
        return true;
    }

    public function sendMessage(string $data, int $dst_worker_id): bool
    {
        $process = $this->workers[$dst_worker_id] ?? null;
        return $process !== null && $process->send($data);
    }

    public function detach(): bool
    {
        return Errors::warn('Swoole\Process\Pool::detach() is not offered: end the process');
    }

    public function start(): null|false
    {
        if ($this->running) {
            return Errors::warn('process pool is running');
        }
        if ($this->ipc_type === \SWOOLE_IPC_NONE && !isset($this->callbacks['workerstart'])) {
            return Errors::warn('require onWorkerStart callback');
        }
        if ($this->ipc_type !== \SWOOLE_IPC_NONE && !isset($this->callbacks['message']) && !isset($this->callbacks['workerstart'])) {
            return Errors::warn('require onMessage callback');
        }
        $this->running = true;
        $this->master_pid = (int) \getmypid();
        \pcntl_async_signals(true);
        \pcntl_signal(\SIGTERM, fn() => $this->end());
        \pcntl_signal(\SIGUSR1, fn() => $this->tell(\SIGTERM));
        for ($number = 0; $number < $this->worker_num; ++$number) {
            $this->workers[$number] = new Process(fn(Process $process) => $this->work($number, $process), false, \SOCK_DGRAM);
        }
        $this->call('start');
        for ($number = 0; $number < $this->worker_num; ++$number) {
            $this->fork($number);
        }
        $this->supervise();
        $this->call('shutdown');
        $this->running = false;
        return null;
    }

    public function stop(): void
    {
        $this->workerRunning = false;
    }

    public function shutdown(): bool
    {
        return $this->master_pid > 0 && \posix_kill($this->master_pid, \SIGTERM);
    }

    private function supervise(): void
    {
        while ($this->numbers !== []) {
            $pid = \pcntl_wait($status);
            $number = $this->numbers[$pid] ?? null;
            if ($number === null) {
                continue;
            }
            unset($this->numbers[$pid]);
            if ($this->isRunning()) {
                $this->fork($number);
            }
        }
    }

    private function fork(int $number): void
    {
        $process = $this->workers[$number] ?? null;
        $pid = \pcntl_fork();
        if ($pid === 0 && $process !== null) {
            Forked::begin();
            \pcntl_signal(\SIGUSR1, \SIG_DFL);
            $process->work();
        }
        if ($process !== null && $pid > 0) {
            $process->pid = $pid;
            $this->numbers[$pid] = $number;
        }
    }

    private function work(int $number, Process $process): void
    {
        $this->workerId = $number;
        $this->workerPid = (int) \getmypid();
        $this->workerRunning = true;
        \pcntl_signal(\SIGTERM, function (): void {
            $this->workerRunning = false;
            if ($this->enable_coroutine) {
                $this->call('workerexit', $this, $this->workerId);
                return;
            }
            $this->call('workerstop', $this, $this->workerId);
            exit(0);
        });
        $start = function () use ($number): void {
            $this->call('workerstart', $this, $number);
        };
        if ($this->enable_coroutine) {
            Coroutines::start($start, []);
            Loop::run();
        } else {
            $start();
            $this->receive($process);
        }
        $this->call('workerstop', $this, $number);
        exit(0);
    }

    private function receive(Process $process): void
    {
        if (!isset($this->callbacks['message'])) {
            return;
        }
        while ($this->workerRunning) {
            $data = $this->listener === null ? $process->read(65536) : $this->accept($this->listener);
            if ($data !== false && $data !== '') {
                $this->call('message', $this, $data);
            }
            if ($this->client !== null) {
                if ($this->answer !== '') {
                    @\fwrite($this->client, \pack('N', \strlen($this->answer)) . $this->answer);
                    $this->answer = '';
                }
                \fclose($this->client);
                $this->client = null;
            }
        }
    }

    /** @param resource $listener */
    private function accept($listener): string|false
    {
        $client = @\stream_socket_accept($listener, 3600.0);
        if ($client === false) {
            return false;
        }
        $this->client = $client;
        $head = \stream_get_contents($client, 4);
        $length = \is_string($head) && \strlen($head) === 4 ? (int) \hexdec(\bin2hex($head)) : 0;
        return $length > 0 ? \stream_get_contents($client, $length) : false;
    }

    private function end(): void
    {
        $this->running = false;
        $this->tell(\SIGTERM);
    }

    private function tell(int $signal): void
    {
        foreach (\array_keys($this->numbers) as $pid) {
            \posix_kill($pid, $signal);
        }
    }

    /** @phpstan-impure */
    private function isRunning(): bool
    {
        return $this->running;
    }

    private function call(string $event, mixed ...$arguments): void
    {
        if (isset($this->callbacks[$event])) {
            ($this->callbacks[$event])(...($arguments ?: [$this]));
        }
    }
}
