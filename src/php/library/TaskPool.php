<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Coroutine\{Mutex, TimeoutException};
use Sluice\Internal\{PoolProcess, ProcessIdentity, Waiter};

/**
 * Processes for tasks that compute, and would hold a worker. `Server::tasks()` makes a pool before the server runs; workers, services and tasks call run().
 *
 * A task is run once. When nobody knows what became of a task, its caller is told so, and the task is not tried again. Payloads and
 * results are serialised.
 */
final class TaskPool
{
    /** @var \Closure(): array<string, callable> */
    private readonly \Closure $boot;
    private readonly string $secret;
    private readonly string $address;
    /** @var resource only the queue's process accepts from it; while that process is started again, whoever connects waits */
    private readonly mixed $listener;
    private ?TaskLink $link = null;
    private readonly Mutex $connecting;
    private int $process = 0;
    private bool $isRead = false;
    /** Calls of the link that the queue has yet to answer, whether somebody still waits for them or not. */
    private int $unanswered = 0;
    private int $lastNumber = 0;
    private readonly TaskPoolMetrics $metrics;
    /** @var array<int, TaskCall> that wait for their answers */
    private array $calls = [];

    /**
     * @internal
     * @param callable(): array<string, callable> $boot
     */
    public function __construct(
        private readonly string $name,
        callable $boot,
        private readonly int $queue,
        private readonly float $graceSeconds,
    ) {
        $this->boot = $boot(...);
        $this->connecting = new Mutex();
        $this->metrics = new TaskPoolMetrics($name);
        // Everybody on this machine can see the address. Only processes that were forked from this one know the secret.
        $this->secret = \bin2hex(\random_bytes(32));
        $this->address = "unix://\0sluice-tasks-" . \bin2hex(\random_bytes(16));
        $listener = @\stream_socket_server($this->address, $code, $error);
        if ($listener === false) {
            throw new ServerException("The pool \"$name\" cannot listen for its processes: $error");
        }
        $this->listener = $listener;
    }

    /**
     * Runs a task in one of the pool's processes, and waits for its result. Tasks of higher priority go first, tasks of one priority in order. When
     * the caller is cancelled, or its time is over, the task is cancelled: a task that has not begun is forgotten, a task that runs gets a
     * `Coroutine\CancelledError` where it waits, and is killed after `$graceSeconds`.
     *
     * @param string $name of a task that `$boot` of `Server::tasks()` has returned
     * @param mixed $payload the task's argument: what serialize() takes
     * @param null|float $timeout seconds: 0 to 1e9; null: for ever
     * @throws TaskFailedException when the task has thrown
     * @throws TaskLostException when its process or the queue's has died
     * @throws TaskRefusedException when the queue is full, and when there is no task of that name
     * @throws TimeoutException when the task has not ended in time
     */
    public function run(string $name, mixed $payload = null, int $priority = 0, ?float $timeout = null): mixed
    {
        if ($timeout !== null && !($timeout >= 0 && $timeout <= 1e9)) {
            throw new \ValueError("Sluice\TaskPool::run(): \$timeout must be between 0 and 1e9 seconds, $timeout given");
        }
        $call = $this->ask(['run', $name, $priority], \serialize($payload), $timeout, "The task \"$name\" has not ended");
        $body = $call->body;
        return match ($call->head[0]) {
            'done' => \unserialize($body),
            'failed' => throw new TaskFailedException($name, ...\unserialize($body)),
            'refused' => throw new TaskRefusedException($body),
            default => throw new TaskLostException($body),
        };
    }

    /**
     * What the pool has done since its queue began, at the last reload or start, and what it does now.
     *
     * @throws TaskLostException
     */
    public function stats(): TaskPoolStats
    {
        $call = $this->ask(['stats'], '', null, '');
        return $call->head[0] === 'stats' ? new TaskPoolStats(...\json_decode($call->body, true)) : throw new TaskLostException($call->body);
    }

    /**
     * What the process of the pool's queue does.
     *
     * @internal
     */
    public function serve(Service $service): void
    {
        PoolProcess::ready();
        (new TaskQueue($this->secret, $this->queue, $this->graceSeconds, $this->metrics))->accept($this->listener);
    }

    /**
     * What a process for tasks does.
     *
     * @internal
     */
    public function work(Service $service): void
    {
        $tasks = ($this->boot)();
        if (!\is_array($tasks) || $tasks === [] || \array_filter($tasks, \is_callable(...)) !== $tasks) {
            throw new ServerException("\$boot of the pool \"$this->name\" must return an array of callables, by the names of tasks");
        }
        PoolProcess::ready();
        $link = TaskLink::connect($this->address, $this->secret, 'worker');
        if ($link !== null) {
            (new TaskRunner($tasks, $link))->run();
        }
    }

    /** @param list<mixed> $head the call's number is put behind its first element */
    private function ask(array $head, string $body, ?float $timeout, string $what): TaskCall
    {
        if (!Waiter::canWait()) {
            throw new ServerException("The pool \"$this->name\" was asked where nothing can wait: call it in a handler, a service or a task");
        }
        $call = new TaskCall();
        $link = $this->link();
        $number = ++$this->lastNumber;
        $this->calls[$number] = $call;
        try {
            $this->unanswered += $link === null ? 0 : 1;
            $isSent = $link?->send([$head[0], $number, ...\array_slice($head, 1)], $body);
            // Sending may suspend, and the link may break meanwhile.
            if (!$isSent || $link !== $this->link) {
                unset($this->calls[$number]);
                $call->answer(['lost'], "The queue of the pool \"$this->name\" has gone");
                $this->forget($link);
            } else {
                $this->listen($link);
            }
            if (!$call->waiter->wait($timeout ?? 1e9)) {
                throw new TimeoutException("$what within $timeout s");
            }
        } finally {
            if (isset($this->calls[$number])) {
                unset($this->calls[$number]);
                $link->send(['cancel', $number]);
            }
        }
        return $call;
    }

    /** This process's link to the queue, unbroken as far as can be seen. */
    private function link(): ?TaskLink
    {
        if ($this->process !== ProcessIdentity::number()) {
            // This process was forked: the inherited link is the parent's.
            [$this->link, $this->calls, $this->isRead, $this->unanswered] = [null, [], false, 0];
            $this->process = ProcessIdentity::number();
        }
        if ($this->link !== null && $this->unanswered > 0) {
            return $this->link;
        }
        // Connecting and greeting suspend: whoever comes meanwhile is to get the same link.
        return $this->connecting->use(function (): ?TaskLink {
            if ($this->link !== null && $this->unanswered === 0 && $this->link->isOver()) {
                $this->link->close();
                $this->link = null;
            }
            return $this->link ??= TaskLink::connect($this->address, $this->secret, 'caller');
        });
    }

    /** Listens as long as somebody waits: a coroutine that listened for ever would hold up the end of its process. */
    private function listen(TaskLink $link): void
    {
        if ($this->isRead) {
            return;
        }
        $this->isRead = true;
        Coroutine\spawn(function () use ($link): void {
            try {
                while ($this->unanswered > 0 && ($message = $link->receive()) !== null) {
                    --$this->unanswered;
                    [$head, $body] = $message;
                    $call = $this->calls[$head[1]] ?? null;
                    unset($this->calls[$head[1]]);
                    $call?->answer($head, $body);
                }
            } finally {
                $this->isRead = false;
                if ($this->unanswered > 0) {
                    $this->forget($link);
                }
            }
        });
    }

    /** The link is broken: every call that went over it and was not answered is told. */
    private function forget(?TaskLink $link): void
    {
        if ($link === null || $link !== $this->link) {
            return;
        }
        $link->close();
        $this->link = null;
        $this->unanswered = 0;
        $lost = $this->calls;
        $this->calls = [];
        foreach ($lost as $call) {
            $call->answer(['lost'], "The queue of the pool \"$this->name\" has gone: nobody knows what has become of the task");
        }
    }
}

/** @internal */
final class TaskCall
{
    public readonly Waiter $waiter;
    /** @var list<mixed> */
    public array $head = [];
    public string $body = '';

    public function __construct()
    {
        $this->waiter = new Waiter();
    }

    /** @param list<mixed> $head */
    public function answer(array $head, string $body): void
    {
        [$this->head, $this->body] = [$head, $body];
        $this->waiter->wake();
    }
}

/** What a pool of tasks does, and has done. */
final class TaskPoolStats
{
    /** @internal */
    public function __construct(
        /** Processes of the pool that are there. */
        public readonly int $workers,
        public readonly int $running,
        public readonly int $waiting,
        /** Tasks that have returned. */
        public readonly int $done,
        /** Tasks that have thrown. */
        public readonly int $failed,
        /** Tasks that nobody waited for any more, whether the task had begun or not. */
        public readonly int $cancelled,
        /** Tasks whose process has died. */
        public readonly int $lost,
        /** Tasks for which the queue had no place. */
        public readonly int $refused,
    ) {}
}
