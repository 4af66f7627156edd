<?php

declare(strict_types=1);

namespace Swoole\Process;

use Sluice\Coroutine;
use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Forked;
use Sluice\Swoole\Loop;
use Sluice\Swoole\Options;
use Sluice\Swoole\PoolPids;
use Sluice\Swoole\PoolPipe;
use Sluice\Swoole\Timers;
use Swoole\Exception;
use Swoole\Process;

/** Processes that are forked again when they end. */
class Pool
{
    /** How often workerExit asks a worker that is to end, and has coroutines or timers. */
    private const EXIT_PERIOD_SECONDS = 0.03;

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
    /** The processes of the workers, as all of them know them. */
    private ?PoolPids $pids = null;
    /** @var Coroutine\Task<void>|null who takes the messages of a worker with coroutines */
    private ?Coroutine\Task $receiver = null;
    private bool $hasBus = false;
    private int $longest = 8 << 20;
    /** Seconds that a worker has to end; 0: any. */
    private float $mostWait = 0.0;

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
        Options::check('Swoole\Process\Pool::set', $settings, Options::POOL);
        $this->enable_coroutine = Options::bool($settings, 'enable_coroutine', $this->enable_coroutine);
        $this->hasBus = Options::bool($settings, 'enable_message_bus', $this->hasBus);
        $this->mostWait = \max(0.0, Options::float($settings, 'max_wait_time', $this->mostWait));
        $longest = Options::int($settings, 'max_package_size', $this->longest);
        if ($longest < 1) {
            Errors::warn("max_package_size must be greater than 0, $longest given", \SWOOLE_ERROR_INVALID_PARAMS);
            return;
        }
        $this->longest = $longest;
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
        $process = $this->workers[$number] ?? null;
        if ($process === null) {
            return Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS);
        }
        $process->pid = $this->pids?->of($number) ?? $process->pid;
        return $process;
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
        if ($process === null) {
            return Errors::warn("invalid worker_id[$dst_worker_id]", \SWOOLE_ERROR_INVALID_PARAMS);
        }
        return $this->hasBus ? PoolPipe::send($process, $data) : $process->send($data);
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
        $this->pids = new PoolPids();
        \pcntl_async_signals(true);
        // Calls that block end with the signal.
        \pcntl_signal(\SIGTERM, function (): void {
            $this->running = false;
        }, false);
        \pcntl_signal(\SIGUSR1, fn() => $this->tell(\SIGTERM), false);
        for ($number = 0; $number < $this->worker_num; ++$number) {
            $process = new Process(fn(Process $process) => $this->work($number, $process), false, \SOCK_DGRAM);
            $process->id = $number;
            $this->workers[$number] = $process;
        }
        $this->call('start');
        for ($number = 0; $number < $this->worker_num; ++$number) {
            $this->fork($number);
        }
        while ($this->isRunning()) {
            $number = $this->reap();
            if ($number !== null && $this->isRunning()) {
                $this->fork($number);
            }
        }
        $this->call('shutdown');
        $this->tell(\SIGTERM);
        $deadline = $this->mostWait > 0 ? \microtime(true) + $this->mostWait : \INF;
        while ($this->numbers !== []) {
            $this->reap($deadline);
            if (\microtime(true) >= $deadline) {
                $this->tell(\SIGKILL);
                $deadline = \INF;
            }
        }
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

    /** Waits until a worker has ended, a signal has come, or the time is over. Timers of this process are called meanwhile. */
    private function reap(float $deadline = \INF): ?int
    {
        $pauses = $deadline !== \INF || Timers::$all !== [];
        $pid = \pcntl_waitpid(-1, $status, $pauses ? \WNOHANG : 0);
        if ($pauses && $pid === 0) {
            Timers::callDue();
            \usleep(5000);
        }
        $number = $this->numbers[$pid] ?? null;
        unset($this->numbers[$pid]);
        return $number;
    }

    private function fork(int $number): void
    {
        $process = $this->workers[$number] ?? throw new Exception("There is no worker $number");
        // A signal for the worker must not reach what this process does on signals.
        \pcntl_sigprocmask(\SIG_BLOCK, [\SIGTERM, \SIGUSR1]);
        $pid = \pcntl_fork();
        if ($pid === 0) {
            Forked::begin();
            $this->numbers = [];
            \pcntl_signal(\SIGUSR1, \SIG_DFL);
            \pcntl_signal(\SIGTERM, $this->endWorker(...), false);
            $this->pids?->set($number, (int) \getmypid());
            \pcntl_sigprocmask(\SIG_UNBLOCK, [\SIGTERM, \SIGUSR1]);
            $process->work();
        }
        if ($pid > 0) {
            $process->pid = $pid;
            $this->numbers[$pid] = $number;
            $this->pids?->set($number, $pid);
        }
        \pcntl_sigprocmask(\SIG_UNBLOCK, [\SIGTERM, \SIGUSR1]);
    }

    private function work(int $number, Process $process): void
    {
        $this->workerId = $number;
        $this->workerPid = (int) \getmypid();
        $this->workerRunning = true;
        $start = function () use ($number): void {
            $this->call('workerstart', $this, $number);
        };
        if ($this->enable_coroutine) {
            if (isset($this->callbacks['message'])) {
                $this->receiver = Coroutine\start(function () use ($process): void {
                    Coroutines::$hidden[Coroutine\id()] = true;
                    $this->receive($process);
                });
            }
            Coroutines::start($start, []);
            Loop::run();
        } else {
            $start();
            $this->receive($process);
        }
        $this->workerRunning = false;
        $this->call('workerstop', $this, $number);
        exit(0);
    }

    /** On SIGTERM. With coroutines, the worker ends when nothing is left that waits; until then workerExit asks again and again. */
    private function endWorker(): void
    {
        $this->workerRunning = false;
        if (!$this->enable_coroutine) {
            $this->call('workerstop', $this, $this->workerId);
            exit(0);
        }
        $this->receiver?->cancel();
        // A signal's handler may run where no Fiber can be switched.
        Coroutine\spawn(function (): void {
            Coroutines::$hidden[Coroutine\id()] = true;
            $this->call('workerexit', $this, $this->workerId);
            while (Coroutines::numbers() !== [] || Timers::$all !== []) {
                Coroutine\sleep(self::EXIT_PERIOD_SECONDS);
                $this->call('workerexit', $this, $this->workerId);
            }
        });
    }

    private function receive(Process $process): void
    {
        if (!isset($this->callbacks['message'])) {
            return;
        }
        $pipe = new PoolPipe($process, $this->hasBus, $this->longest);
        while ($this->workerRunning) {
            $data = $this->listener === null ? $pipe->receive() : $this->accept($this->listener);
            if ($data === false && $this->listener === null) {
                return;
            }
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
