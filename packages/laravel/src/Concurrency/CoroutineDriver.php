<?php

declare(strict_types=1);

namespace Sluice\Laravel\Concurrency;

use Illuminate\Contracts\Concurrency\Driver;
use Illuminate\Support\Defer\DeferredCallback;
use Sluice\Coroutine;
use Sluice\Laravel\Applications;

use function Illuminate\Support\defer;

/**
 * `Concurrency::driver('sluice')`: calls each task in a coroutine of this worker, with an application of its own. Nothing is serialised, and a task that waits lets the others go on.
 * Tasks do not see the user, the transaction and other state of the request, as with Laravel's driver `process`.
 */
final class CoroutineDriver implements Driver
{
    /** @param Applications|null $applications null: in an artisan command, where tasks run one after the other */
    public function __construct(private readonly ?Applications $applications) {}

    /**
     * @param \Closure(): mixed|array<\Closure(): mixed> $tasks
     * @return array<mixed> what they return, by the keys of the tasks
     */
    public function run(\Closure|array $tasks): array
    {
        $tasks = \is_array($tasks) ? $tasks : [$tasks];
        $applications = $this->applications;
        if ($applications === null) {
            return \array_map(static fn(\Closure $task): mixed => $task(), $tasks);
        }
        // By position: a name such as "first" would be that of a parameter.
        $results = Coroutine\all(...\array_map(static fn(\Closure $task) => static fn(): mixed => $applications->runTask($task), \array_values($tasks)));
        return \array_combine(\array_keys($tasks), $results);
    }

    /** @param \Closure(): mixed|array<\Closure(): mixed> $tasks */
    public function defer(\Closure|array $tasks): DeferredCallback
    {
        return defer(fn() => $this->run($tasks));
    }
}
