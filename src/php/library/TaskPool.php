<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Coroutine\{Mutex, TimeoutException};
use Sluice\Internal\Waiter;

/**
 * Processes for what computes, so that it holds no worker: `Server::tasks()` makes it, before run(); workers, services and tasks call run().
 *
 * A task is run once, or its caller is told that it is not known what became of it: it is never tried again. Payloads and
 * results are serialised.
 */
final class TaskPool
{
    /** @var \Closure(): array<string, callable> */
    private readonly \Closure $boot;
    private readonly string $secret;
    private readonly string $address;
    /** @var resource which only the queue's process accepts from: while that is started again, who connects waits */
    private readonly mixed $listener;
    private ?TaskLink $link = null;
    private readonly Mutex $connecting;
    private int $process = 0;
    private bool $isRead = false;
    /** Calls of the link that the queue has yet to answer, those included that nobody waits for any more. */
    private int $unanswered = 0;
    private int $lastNumber = 0;
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
        // Everybody on this machine can see the address, and only who was forked from here knows the secret.
        $this->secret = \bin2hex(\random_bytes(32));
        $this->address = "unix://\0sluice-tasks-" . \bin2hex(\random_bytes(16));
        $listener = @\stream_socket_server($this->address, $code, $error);
        if ($listener === false) {
            throw new ServerException("The pool \"$name\" cannot listen for its processes: $error");
        }
        $this->listener = $listener;
    }

    /**
     * Runs a task in one of the pool's processes, and waits for its result. Tasks of higher priority go first, those of one priority in order. When
     * the caller is cancelled, or its time is over, the task is: one that waits is forgotten, one that runs gets a `Coroutine\CancelledError` where it
     * waits, and is killed after `$graceSeconds`.
     *
     * @param string $name one of those that `$boot` has returned
     * @param mixed $payload the task's argument: what serialize() takes
     * @param null|float $timeout seconds: 0 to 1e9; null: for ever
     * @throws TaskFailedException when the task has thrown
     * @throws TaskLostException when its process has died
     * @throws TaskRefusedException when so many wait as may, and when there is no task of that name
     * @throws TimeoutException when it has not ended by then
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
     * What its queue's process does.
     *
     * @internal
     */
    public function serve(Service $service): void
    {
        (new TaskQueue($this->secret, $this->queue, $this->graceSeconds))->accept($this->listener);
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
        $link = TaskLink::connect($this->address, $this->secret, 'worker');
        if ($link !== null) {
            (new TaskRunner($tasks, $link))->run();
        }
    }

    /** @param list<mixed> $head with the call's number put behind its first */
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
            // What is sent may wait, and the link break meanwhile.
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

    /** A link of this process that is whole, as far as can be seen. */
    private function link(): ?TaskLink
    {
        if ($this->process !== \getmypid()) {
            // A fork: what is inherited is its parent's.
            [$this->link, $this->calls, $this->isRead, $this->unanswered] = [null, [], false, 0];
            $this->process = (int) \getmypid();
        }
        if ($this->link !== null && $this->unanswered > 0) {
            return $this->link;
        }
        // Both wait, and all that come meanwhile are to have the same one.
        return $this->connecting->use(function (): ?TaskLink {
            if ($this->link !== null && $this->unanswered === 0 && $this->link->isOver()) {
                $this->link->close();
                $this->link = null;
            }
            return $this->link ??= TaskLink::connect($this->address, $this->secret, 'caller');
        });
    }

    /** As long as somebody waits: a coroutine that always does would hold up the end of its process. */
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

    /** It is broken: all whose calls went by it, and were not answered, are told. */
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
        /** Processes that are there. */
        public readonly int $workers,
        public readonly int $running,
        public readonly int $waiting,
        /** Those that have returned. */
        public readonly int $done,
        /** Those that have thrown. */
        public readonly int $failed,
        /** Those that nobody waits for any more, whether they had begun or not. */
        public readonly int $cancelled,
        /** Those whose process has died. */
        public readonly int $lost,
        /** Those for which there was no place in the queue. */
        public readonly int $refused,
    ) {}
}
