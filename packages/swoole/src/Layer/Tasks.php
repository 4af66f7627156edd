<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Sluice\Server;
use Sluice\Service;
use Sluice\TaskPool;
use Sluice\TaskFailedException;
use Sluice\TaskLostException;
use Sluice\TaskRefusedException;
use Swoole\Server as SwooleServer;
use Swoole\Server\Task;
use Swoole\Server\TaskResult;

/** The task workers: a pool of processes. */
final class Tasks
{
    private readonly TaskPool $pool;
    private int $last = 0;
    /** The worker that has sent the running task; -1: another process. */
    private int $asker = -1;
    /** @var list<string> what the running task has given to finish(), in a task worker */
    private array $finished = [];
    private bool $told = false;

    public function __construct(private readonly SwooleServer $server, Server $engine, int $workers)
    {
        $this->pool = $engine->tasks($this->boot(...), \min($workers, 63), 1_000_000, name: 'swoole-tasks');
    }

    public function dispatch(mixed $data, int $worker, ?callable $callback): int|false
    {
        if (!$this->check($worker)) {
            return false;
        }
        $id = $this->last++;
        Coroutine\start(function () use ($id, $data, $callback): void {
            Coroutines::$hidden[Coroutine\id()] = true;
            [$done, $results] = $this->run($id, $data, null, $callback === null ? \SWOOLE_TASK_NONBLOCK : \SWOOLE_TASK_NONBLOCK | \SWOOLE_TASK_CALLBACK);
            unset(Coroutines::$hidden[Coroutine\id()]);
            foreach ($done ? $results : [] as $result) {
                $this->finishOne($id, $result, $callback);
            }
        });
        return $id;
    }

    public function wait(mixed $data, float $timeout): mixed
    {
        [$done, $results] = $this->run($this->last++, $data, $timeout, \SWOOLE_TASK_COROUTINE);
        return $done ? ($results[0] ?? false) : false;
    }

    /**
     * @param array<array-key, mixed> $tasks
     * @return array<array-key, mixed>|false
     */
    public function waitAll(array $tasks, float $timeout, bool $failed): array|false
    {
        if ($tasks === []) {
            return false;
        }
        $calls = [];
        foreach ($tasks as $key => $data) {
            $id = $this->last++;
            $calls[$key] = Coroutine\start(fn(): array => $this->run($id, $data, $timeout, \SWOOLE_TASK_COROUTINE | \SWOOLE_TASK_WAITALL));
        }
        $answers = [];
        foreach ($calls as $key => $call) {
            [$done, $results] = $call->await();
            if ($done) {
                $answers[$key] = $results[0] ?? false;
            } elseif ($failed) {
                $answers[$key] = false;
            }
        }
        return $answers;
    }

    public function finish(mixed $data): bool
    {
        if (!$this->server->taskworker) {
            return Errors::warn('Server->finish() can only be used in the task workers');
        }
        if ($this->asker < 0) {
            return Errors::warn('the task was not sent by a worker: nobody waits for its result', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        // What cannot be serialized is the caller's error.
        $this->finished[] = \serialize($data);
        return true;
    }

    /** @return array<string, callable> */
    private function boot(): array
    {
        $number = (Service::current()->id ?? 0) % 64;
        $server = $this->server;
        $server->running?->enterProcess();
        $server->taskworker = true;
        $server->worker_id = Options::int($server->setting, 'worker_num', 1) + $number;
        if ($server->events->has('pipemessage')) {
            $server->running?->inbox->open($server->worker_id);
        }
        $server->running?->notePid($server->worker_id, $server->worker_pid);
        $server->events->call('workerstart', $server, $server->worker_id);
        \register_shutdown_function(static fn(): mixed => $server->events->call('workerstop', $server, $server->worker_id));
        return ['task' => $this->work(...)];
    }

    /**
     * In a task worker.
     *
     * @param array{int, int, mixed, int} $call
     * @return list<string> serialized
     */
    private function work(array $call): array
    {
        [$id, $from, $data, $flags] = $call;
        $this->finished = [];
        $this->asker = $from;
        $server = $this->server;
        if (Options::bool($server->setting, 'task_use_object') || Options::bool($server->setting, 'task_object') || Options::bool($server->setting, 'task_enable_coroutine')
            || Options::bool($server->setting, 'event_object')) {
            $task = new Task();
            $task->id = $id;
            $task->worker_id = \max(0, $from);
            $task->flags = $flags;
            $task->data = $data;
            $task->dispatch_time = \microtime(true);
            $result = $server->events->call('task', $server, $task);
        } else {
            $result = $server->events->call('task', $server, $id, $from, $data);
        }
        // Coroutines give their result by finish().
        if ($result !== null && !Options::bool($server->setting, 'task_enable_coroutine')) {
            $this->finished[] = \serialize($result);
        }
        return $this->finished;
    }

    /** @return array{bool, list<mixed>} */
    private function run(int $id, mixed $data, ?float $timeout, int $flags): array
    {
        $flags |= (\is_string($data) ? 0 : \SWOOLE_TASK_SERIALIZE) | ($this->server->worker_id < 0 ? \SWOOLE_TASK_NOREPLY : 0);
        try {
            /** @var list<string> $results */
            $results = $this->pool->run('task', [$id, $this->server->worker_id, $data, $flags], timeout: $timeout !== null && $timeout > 0 ? $timeout : null);
            return [true, \array_map(\unserialize(...), $results)];
        } catch (Coroutine\TimeoutException) {
            Errors::set(\SWOOLE_ERROR_TASK_TIMEOUT);
        } catch (TaskFailedException | TaskLostException | TaskRefusedException $exception) {
            Errors::set(\SWOOLE_ERROR_TASK_DISPATCH_FAIL);
            \trigger_error("The task $id has failed: {$exception->getMessage()}", \E_USER_WARNING);
        }
        return [false, []];
    }

    private function finishOne(int $id, mixed $result, ?callable $callback): void
    {
        $server = $this->server;
        if ($callback !== null) {
            Callback::call($callback, [$server, $id, $result]);
        } elseif (Options::bool($server->setting, 'event_object')) {
            $event = new TaskResult();
            $event->task_id = $id;
            $event->data = $result;
            $event->dispatch_time = \microtime(true);
            $server->events->call('finish', $server, $event);
        } else {
            $server->events->call('finish', $server, $id, $result);
        }
    }

    private function check(int $worker): bool
    {
        if ($this->server->taskworker) {
            return Errors::warn('Server->task() cannot use in the task-worker');
        }
        if ($worker >= Options::int($this->server->setting, 'task_worker_num')) {
            return Errors::warn("worker_id must be less than task_worker_num[$worker]", \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if ($worker >= 0 && !$this->told) {
            $this->told = true;
            Errors::notice('tasks go to the task worker that is free first: the number of a task worker has no effect');
        }
        return true;
    }
}
