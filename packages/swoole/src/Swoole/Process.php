<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Swoole\Callback;
use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Forked;
use Sluice\Swoole\Loop;
use Sluice\Swoole\MessageQueue;
use Sluice\Swoole\Signals;
use Sluice\Swoole\Streams;
use Sluice\Swoole\Uncaught;
use Swoole\Coroutine\Socket;

class Process
{
    public const IPC_NONBLOCK = 256;
    public const PIPE_MASTER = 1;
    public const PIPE_WORKER = 2;
    public const PIPE_READ = 3;
    public const PIPE_WRITE = 4;

    public int|false $pipe = false;
    public int|false $msgQueueId = false;
    public int|false $msgQueueKey = false;
    public ?int $pid = null;
    public ?int $id = null;
    /** @var callable|null */
    private $callback;
    /** @var resource|null the end that this process uses */
    private $stream = null;
    /** @var array{resource, resource}|null */
    private ?array $pair = null;
    private float $timeout = 0.0;
    private ?MessageQueue $queue = null;

    private ?Socket $socket = null;
    private static int $made = 0;

    public function __construct(mixed $callback, private bool $redirect_stdin_and_stdout = false, int $pipe_type = \SOCK_DGRAM, private bool $enable_coroutine = false)
    {
        $this->callback = Callback::of($callback, 1);
        $this->id = ++self::$made;
        if ($redirect_stdin_and_stdout) {
            $pipe_type = \SOCK_STREAM;
        }
        if ($pipe_type > 0) {
            $kind = $pipe_type === \SOCK_STREAM ? \STREAM_SOCK_STREAM : \STREAM_SOCK_DGRAM;
            $pair = \stream_socket_pair(\STREAM_PF_UNIX, $kind, 0) ?: throw new Exception('There is no descriptor for a pipe');
            $this->pair = [$pair[0], $pair[1]];
            $this->take($pair[0]);
        }
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): void
    {
        $this->enable_coroutine = (bool) ($settings['enable_coroutine'] ?? $this->enable_coroutine);
    }

    public function start(): bool|int
    {
        if ($this->pid !== null && \posix_kill($this->pid, 0)) {
            return Errors::warn('process has already been started');
        }
        if (\Sluice\Coroutine\id() !== 0) {
            throw Errors::exception('must be forked outside the coroutine');
        }
        $pid = \pcntl_fork();
        if ($pid < 0) {
            return Errors::warn('fork() failed', \pcntl_get_last_error());
        }
        if ($pid > 0) {
            $this->pid = $pid;
            return $pid;
        }
        Forked::begin();
        $this->work();
    }

    /** In the process of its own: calls the callback, and ends. */
    public function work(): never
    {
        $this->enter();
        $callback = $this->callback ?? static fn() => null;
        if ($this->redirect_stdin_and_stdout && $this->stream !== null) {
            Forked::redirect($this->stream);
        }
        if ($this->enable_coroutine) {
            Coroutines::start($callback, [$this]);
        } else {
            try {
                Callback::call($callback, [$this]);
            } catch (\Throwable $error) {
                Uncaught::end($error);
            }
        }
        Loop::run();
        exit(0);
    }

    /** Makes this object the process's own end of the pipe. */
    public function enter(): void
    {
        $this->pid = (int) \getmypid();
        if ($this->pair !== null) {
            $this->take($this->pair[1]);
        }
    }

    public function call(): void
    {
        ($this->callback ?? static fn() => null)($this);
    }

    public function usesCoroutine(): bool
    {
        return $this->enable_coroutine;
    }

    public static function kill(int $pid, int $signal_no = \SIGTERM): bool
    {
        if (\posix_kill($pid, $signal_no)) {
            return true;
        }
        $error = \posix_get_last_error();
        return $signal_no === 0
            ? Errors::fail($error)
            : Errors::warn("kill($pid, $signal_no) failed, Error: " . \posix_strerror($error) . "[$error]", $error);
    }

    public static function signal(int $signal_no, mixed $callback = null): bool
    {
        \pcntl_async_signals(true);
        if ($callback === null) {
            Signals::remove($signal_no);
            return \pcntl_signal($signal_no, \SIG_DFL);
        }
        $callback = Callback::of($callback, 2);
        Signals::add($signal_no);
        return \pcntl_signal($signal_no, static function (int $number) use ($callback): void {
            Callback::call($callback, [$number]);
        });
    }

    public static function alarm(int $usec, int $type = 0): bool
    {
        static $timer = null;
        if (\is_int($timer)) {
            Timer::clear($timer);
            $timer = null;
        }
        if ($usec >= 1000) {
            $timer = Timer::tick(\intdiv($usec, 1000), static fn() => \posix_kill((int) \getmypid(), \SIGALRM));
        }
        return true;
    }

    /** @return array{pid: int, code: int, signal: int}|false */
    public static function wait(bool $blocking = true): array|false
    {
        $pid = \pcntl_waitpid(-1, $status, $blocking ? 0 : \WNOHANG);
        if ($pid <= 0 || !\is_int($status)) {
            return $pid < 0 ? Errors::fail(\pcntl_get_last_error()) : false;
        }
        return [
            'pid' => $pid,
            'code' => \pcntl_wifexited($status) ? (int) \pcntl_wexitstatus($status) : 0,
            'signal' => \pcntl_wifsignaled($status) ? (int) \pcntl_wtermsig($status) : 0,
        ];
    }

    /** @param list<resource|null> $pipes */
    public static function daemon(bool $nochdir = true, bool $noclose = true, array $pipes = []): bool
    {
        $pid = \pcntl_fork();
        if ($pid > 0) {
            \posix_kill((int) \getmypid(), \SIGKILL);
        }
        Forked::begin();
        \posix_setsid();
        if (!$nochdir) {
            \chdir('/');
        }
        return $pid === 0;
    }

    /** @return list<int> */
    public static function getAffinity(): array
    {
        $status = (string) @\file_get_contents('/proc/self/status');
        $found = \preg_match('/^Cpus_allowed_list:\s*(.*)$/m', $status, $list) === 1 ? $list[1] : '0';
        $all = [];
        foreach (\explode(',', $found) as $range) {
            [$first, $last] = \explode('-', $range) + [1 => $range];
            $all = [...$all, ...\range((int) $first, (int) $last)];
        }
        return $all;
    }

    /** @param list<int> $cpu_settings */
    public static function setAffinity(array $cpu_settings): bool
    {
        \exec('taskset -pc ' . \implode(',', \array_map(intval(...), $cpu_settings)) . ' ' . (int) \getmypid() . ' 2>/dev/null', $output, $status);
        return $status === 0;
    }

    public function setTimeout(float $seconds): bool
    {
        $this->timeout = $seconds;
        return true;
    }

    public function setBlocking(bool $blocking): bool
    {
        return $this->stream !== null && \stream_set_blocking($this->stream, $blocking);
    }

    public function setPriority(int $which, int $priority, ?int $who = null): bool
    {
        $process = $this->prioritized($which, $who);
        return $process !== null && (@\pcntl_setpriority($priority, $process, $which) || Errors::fail(\pcntl_get_last_error()));
    }

    public function getPriority(int $which, ?int $who = null): int|false
    {
        $process = $this->prioritized($which, $who);
        return $process === null ? false : @\pcntl_getpriority($process, $which);
    }

    private function prioritized(int $which, ?int $who): ?int
    {
        if (!\in_array($which, [\PRIO_PROCESS, \PRIO_PGRP, \PRIO_USER], true)) {
            Errors::set(\SOCKET_EINVAL);
            return null;
        }
        $who ??= $which === \PRIO_PROCESS ? $this->pid : null;
        if ($who === null) {
            Errors::warn('$who is null: the process has not been started, or another kind than PRIO_PROCESS needs a number', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        return $who;
    }

    public function write(string $data): int|false
    {
        if ($this->stream === null) {
            return Errors::warn('no pipe, cannot write into pipe');
        }
        if ($data === '') {
            return Errors::warn('the data to send is empty');
        }
        $written = @\fwrite($this->stream, $data);
        return $written === false ? Errors::fail(32) : $written;
    }

    public function read(int $size = 8192): string|false
    {
        if ($this->stream === null) {
            return Errors::warn('no pipe, cannot read from pipe');
        }
        if ($this->timeout > 0) {
            \stream_set_timeout($this->stream, (int) $this->timeout, (int) (\fmod($this->timeout, 1) * 1e6));
        }
        if ($size < 1) {
            return Errors::warn('size must be greater than 0', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        // recv() gives one datagram, or what has come.
        $data = \stream_socket_recvfrom($this->stream, \min($size, 8 << 20));
        return $data === '' || $data === false ? ($data === false ? Errors::fail(11) : '') : $data;
    }

    public function close(int $which = 0): bool
    {
        if ($this->stream === null) {
            return Errors::warn('no pipe, cannot close the pipe');
        }
        Streams::release((int) $this->pipe);
        \fclose($this->stream);
        $this->stream = $this->pair = null;
        return true;
    }

    public function exit(int $exit_code = 0): void
    {
        exit($exit_code);
    }

    /** @param list<string> $args */
    public function exec(string $exec_file, array $args): bool
    {
        if ($exec_file === '') {
            return Errors::warn('exec file name is empty');
        }
        \pcntl_exec($exec_file, \array_map(strval(...), $args));
        return Errors::warn("execv($exec_file) failed", \pcntl_get_last_error());
    }

    public function name(string $process_name): bool
    {
        return @\cli_set_process_title($process_name);
    }

    public function exportSocket(): Socket|false
    {
        if ($this->stream === null) {
            return false;
        }
        if ($this->socket === null) {
            $socket = \socket_import_stream($this->stream);
            $this->socket = $socket instanceof \Socket ? Socket::wrap($socket) : null;
        }
        return $this->socket ?? false;
    }

    public function useQueue(int $key = 0, int $mode = 2, int $capacity = -1): bool
    {
        $this->queue = MessageQueue::open($key, $mode, $capacity);
        $this->msgQueueId = $this->msgQueueKey = $this->queue->key;
        return true;
    }

    /** @return array{queue_num: int, queue_bytes: int}|false */
    public function statQueue(): array|false
    {
        return $this->queue === null ? Errors::warn('no queue, cannot get stats of the queue') : $this->queue->stats();
    }

    public function freeQueue(): bool
    {
        return $this->queue === null ? Errors::warn('no queue, cannot be freed') : $this->queue->remove();
    }

    public function push(string $data): bool
    {
        if ($this->queue === null) {
            return Errors::warn('no msgqueue, cannot use push()');
        }
        return $this->queue->send($data, 1);
    }

    public function pop(int $size = 65536): string|false
    {
        return $this->queue === null ? Errors::warn('no msgqueue, cannot use pop()') : $this->queue->receive($size);
    }

    /**
     * To the process from another one.
     *
     * @internal
     */
    public function send(string $data): bool
    {
        return $this->pair !== null && @\fwrite($this->pair[0], $data) !== false;
    }

    /** @return resource|null */
    public function stream()
    {
        return $this->stream;
    }

    /** @param resource $stream */
    private function take($stream): void
    {
        $this->stream = $stream;
        $this->socket = null;
        $this->pipe = Streams::number($stream);
    }
}
