<?php

declare(strict_types=1);

namespace Sluice\Laravel\Services;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Foundation\Application;
use Illuminate\Queue\Events\JobProcessing;
use Illuminate\Queue\{Worker, WorkerOptions};
use Sluice\Laravel\Applications;
use Sluice\{Coroutine, Server, Service};

/** Queue workers beside those of the server: several jobs at a time in a process, each with an application of its own. */
final class QueueService
{
    /**
     * @param int $jobs that a process works on at a time
     * @param string|null $connection of `config/queue.php`; null: the default
     * @param string|null $queue names, with commas between them, the most urgent first; null: that of the connection
     * @param int $tries how often a job is tried that does not say so itself; 0: for ever
     * @param int $timeout seconds after which a job is cancelled where it waits
     * @param float $sleep seconds to wait when there is no job
     * @param int $backoff seconds before a job is tried again
     */
    public function __construct(
        private readonly Applications $applications,
        private readonly int $jobs = 8,
        private readonly ?string $connection = null,
        private readonly ?string $queue = null,
        private readonly int $tries = 1,
        private readonly int $timeout = 60,
        private readonly float $sleep = 1.0,
        private readonly int $backoff = 0,
    ) {}

    /** Adds it to a server. */
    public function serve(Server $server, int $processes, string $name = 'queue'): void
    {
        $server->service($name, $this->run(...), $processes);
    }

    public function run(Service $service): void
    {
        Coroutine\all(...\array_fill(0, $this->jobs, function () use ($service): void {
            while (!Service::isStopping()) {
                if (!$this->work() && !$service->wait($this->sleep)) {
                    return;
                }
            }
        }));
    }

    /** @return bool whether there was a job */
    private function work(): bool
    {
        return $this->applications->run(function (Application $app): bool {
            $hasJob = false;
            $app->make(Dispatcher::class)->listen(JobProcessing::class, static function () use (&$hasJob): void {
                $hasJob = true;
            });
            $config = $app->make(Repository::class);
            $default = $config->get('queue.default');
            $connection = $this->connection ?? (\is_string($default) ? $default : 'sync');
            $queue = $this->queue ?? $config->get("queue.connections.$connection.queue");
            $worker = $app->make('queue.worker');
            \assert($worker instanceof Worker);
            $options = new WorkerOptions(backoff: $this->backoff, timeout: $this->timeout, sleep: 0, maxTries: $this->tries);
            try {
                Coroutine\timeout((float) $this->timeout, static fn() => $worker->runNextJob($connection, \is_string($queue) ? $queue : 'default', $options));
            } catch (Coroutine\TimeoutException $error) {
                $app->make(ExceptionHandler::class)->report($error);
            }
            return $hasJob;
        });
    }
}
