<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Internal\ProcessIdentity;
use Sluice\Metrics\{Counter, Gauge};

/**
 * The process in which a pool's tasks wait, and which gives them to the processes that run them. It never looks into payloads.
 *
 * @internal
 */
final class TaskQueue
{
    private const HELLO_SECONDS = 10.0;
    private const TITLE_SECONDS = 1.0;
    private const METRICS_SECONDS = 0.5;

    /** @var array<int, TaskHand> by their numbers */
    private array $hands = [];
    /** @var \SplPriorityQueue<array{int, int}, TaskJob> tasks that wait, and some that were cancelled */
    private \SplPriorityQueue $queue;
    private int $waiting = 0;
    private int $added = 0;
    private string $title = '';
    /** @var array<string, int> */
    private array $counts = ['done' => 0, 'failed' => 0, 'cancelled' => 0, 'lost' => 0, 'refused' => 0];

    public function __construct(
        #[\SensitiveParameter]
        private readonly string $secret,
        private readonly int $most,
        private readonly float $graceSeconds,
        private readonly TaskPoolMetrics $metrics,
    ) {
        $this->queue = new \SplPriorityQueue();
    }

    /** @param resource $listener */
    public function accept(mixed $listener): never
    {
        Timer::every(self::METRICS_SECONDS, fn() => $this->metrics->show(\count($this->hands), $this->countRunning(), $this->waiting));
        if (\function_exists('cli_set_process_title')) {
            $title = (string) \cli_get_process_title();
            Timer::every(self::TITLE_SECONDS, fn() => $this->showFigures($title));
        }
        while (true) {
            $stream = @\stream_socket_accept($listener, 1_000_000);
            if ($stream !== false) {
                Coroutine\spawn($this->hear(...), new TaskLink($stream));
            } else {
                \usleep(10_000); // no descriptors are left
            }
        }
    }

    private function hear(TaskLink $link): void
    {
        [$role, $process] = $link->hear($this->secret, self::HELLO_SECONDS) ?? ['', ''];
        if ($role === 'caller') {
            $this->hearCaller($link);
        } elseif ($role === 'worker') {
            $this->hearHand(new TaskHand($link, $process));
        }
        $link->close();
    }

    private function hearCaller(TaskLink $link): void
    {
        /** @var array<int, TaskJob> $jobs */
        $jobs = [];
        while (($message = $link->receive()) !== null) {
            [$head, $body] = $message;
            $jobs = \array_filter($jobs, static fn(TaskJob $job): bool => !$job->over);
            if ($head[0] === 'run') {
                $jobs[$head[1]] = $job = new TaskJob($link, $head[1], $head[2], $body);
                $this->add($job, $head[3]);
            } elseif ($head[0] === 'cancel' && isset($jobs[$head[1]])) {
                $this->cancel($jobs[$head[1]]);
            } elseif ($head[0] === 'stats') {
                $link->send(['stats', $head[1]], \json_encode($this->stats(), \JSON_THROW_ON_ERROR));
            }
        }
        foreach ($jobs as $job) {
            $this->cancel($job);
        }
    }

    private function hearHand(TaskHand $hand): void
    {
        $this->hands[\spl_object_id($hand)] = $hand;
        $this->giveOut();
        while (($message = $hand->link->receive()) !== null) {
            [$head, $body] = $message;
            $job = $hand->job;
            $hand->job = null;
            // The process gets its next task first: whoever gets the answer may be slow to take it.
            $this->giveOut();
            if ($job !== null) {
                $this->end($job, $head[0], $body);
            }
        }
        unset($this->hands[\spl_object_id($hand)]);
        if ($hand->job !== null) {
            $this->end($hand->job, 'lost', "The process of the task \"{$hand->job->name}\" has died: nobody knows how far it had come");
        }
    }

    private function add(TaskJob $job, int $priority): void
    {
        $idle = \count($this->hands) - $this->countRunning();
        if ($this->waiting >= $this->most + $idle) {
            $this->end($job, 'refused', "$this->waiting tasks wait in the pool: no more may (\$queue of Server::tasks())");
            return;
        }
        ++$this->waiting;
        $this->queue->insert($job, [$priority, -++$this->added]);
        $this->giveOut();
    }

    /** Gives tasks to the processes that have nothing to do. */
    private function giveOut(): void
    {
        foreach ($this->hands as $number => $hand) {
            // Sending may suspend, and other coroutines come here meanwhile.
            while (isset($this->hands[$number]) && $hand->job === null && $this->waiting > 0) {
                $job = $this->queue->extract();
                if ($job->over) {
                    continue;
                }
                --$this->waiting;
                $hand->job = $job;
                $job->hand = $hand;
                $hand->link->send(['run', $job->number, $job->name], $job->payload);
                $job->payload = '';
            }
        }
    }

    /** Nobody waits for the task any more. */
    private function cancel(TaskJob $job): void
    {
        if ($job->over) {
            return;
        }
        $hand = $job->hand;
        $this->end($job, 'cancelled', '');
        if ($hand === null) {
            --$this->waiting;
            $this->forgetCancelled();
            return;
        }
        $hand->link->send(['cancel', $job->number]);
        Timer::after($this->graceSeconds, static function () use ($hand, $job): void {
            if ($hand->job === $job) {
                ProcessIdentity::kill($hand->process);
            }
        });
    }

    private function end(TaskJob $job, string $how, string $body): void
    {
        if ($job->over) {
            return;
        }
        $job->over = true;
        $job->payload = '';
        ++$this->counts[$how];
        $this->metrics->count($how);
        $job->caller->send([$how, $job->number], $body);
    }

    /** Cancelled tasks stay in the queue until there are more of them than of tasks that wait. */
    private function forgetCancelled(): void
    {
        if (\count($this->queue) <= 2 * $this->waiting + 100) {
            return;
        }
        $all = clone $this->queue;
        $all->setExtractFlags(\SplPriorityQueue::EXTR_BOTH);
        $this->queue = new \SplPriorityQueue();
        foreach ($all as ['data' => $job, 'priority' => $priority]) {
            if (!$job->over) {
                $this->queue->insert($job, $priority);
            }
        }
    }

    /** Has `ps` and `sluice status` show what the pool does. */
    private function showFigures(string $title): void
    {
        $figures = [];
        foreach ($this->stats() as $what => $count) {
            $figures[] = "$count $what";
        }
        $title .= ' (' . \implode(', ', \array_slice($figures, 1)) . ')';
        if ($title !== $this->title) {
            $this->title = $title;
            @\cli_set_process_title($title);
        }
    }

    /** @return array<string, int> */
    private function stats(): array
    {
        return ['workers' => \count($this->hands), 'running' => $this->countRunning(), 'waiting' => $this->waiting] + $this->counts;
    }

    private function countRunning(): int
    {
        return \count(\array_filter($this->hands, static fn(TaskHand $hand): bool => $hand->job !== null));
    }
}

/**
 * What the admin listener shows of a pool of tasks, over all processes that its queue has had.
 *
 * @internal
 */
final class TaskPoolMetrics
{
    private const RESULTS = ['done', 'failed', 'cancelled', 'lost', 'refused'];

    private readonly Gauge $processes;
    private readonly Gauge $busy;
    private readonly Gauge $waiting;
    /** @var array<string, Counter> */
    private array $tasks = [];

    public function __construct(string $pool)
    {
        $this->processes = (new Gauge('sluice_task_pool_processes', 'Processes of a pool that take tasks.', ['pool']))->labels($pool);
        $this->busy = (new Gauge('sluice_task_pool_processes_busy', 'Processes of a pool that run a task.', ['pool']))->labels($pool);
        $this->waiting = (new Gauge('sluice_task_pool_tasks_waiting', 'Tasks that wait for a process.', ['pool']))->labels($pool);
        $tasks = new Counter('sluice_task_pool_tasks', 'Tasks that have ended, by how.', ['pool', 'result']);
        foreach (self::RESULTS as $result) {
            $this->tasks[$result] = $tasks->labels($pool, $result);
        }
    }

    public function count(string $result): void
    {
        $this->tasks[$result]->inc();
    }

    public function show(int $processes, int $busy, int $waiting): void
    {
        $this->processes->set($processes);
        $this->busy->set($busy);
        $this->waiting->set($waiting);
    }
}

/** @internal */
final class TaskJob
{
    public ?TaskHand $hand = null;
    public bool $over = false;

    public function __construct(
        public readonly TaskLink $caller,
        public readonly int $number,
        public readonly string $name,
        public string $payload,
    ) {}
}

/**
 * A process that tasks run in.
 *
 * @internal
 */
final class TaskHand
{
    public ?TaskJob $job = null;

    public function __construct(public readonly TaskLink $link, public readonly string $process) {}
}
