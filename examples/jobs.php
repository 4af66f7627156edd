<?php

declare(strict_types=1);

// Jobs in the background, three at a time: make run SCRIPT=examples/jobs.php
//   curl -i -d 'seconds=2' http://127.0.0.1:9517/jobs      then, with the Location of the response: curl http://127.0.0.1:9517/jobs/1
//
// Jobs are tasks in a pool of processes, a service tells how many wait, and a clock forgets old ones. What has become of each stands in a table that
// all processes share. When the server stops, jobs that run are finished first.

use Sluice\Coroutine;
use Sluice\Http\{BadRequest, Request, Response};
use Sluice\Shared\{Counter, Table};
use Sluice\{Server, Service, TaskException, TaskPool, Timer};

$address = $argv[1] ?? '127.0.0.1:9517';

const MOST_WAITING = 100;

/** The jobs of all workers. */
final class Jobs
{
    private Table $jobs;
    private Counter $last;

    public function __construct()
    {
        $this->jobs = new Table('jobs');
        $this->last = new Counter('last-job');
    }

    public function add(float $seconds): int
    {
        $id = $this->last->add();
        $this->jobs->set((string) $id, ['id' => $id, 'seconds' => $seconds, 'state' => 'queued', 'result' => null]);
        return $id;
    }

    /** @return array{id: int, seconds: float, state: string, result: ?string}|null */
    public function find(int $id): ?array
    {
        /** @var array{id: int, seconds: float, state: string, result: ?string}|null */
        return $this->jobs->get((string) $id);
    }

    public function change(int $id, string $state, ?string $result = null): void
    {
        $this->jobs->update((string) $id, fn(mixed $job): array => ['state' => $state, 'result' => $result] + (array) $job);
    }

    public function forgetEnded(): void
    {
        foreach ($this->jobs->listKeys() as $id) {
            if (in_array($this->find((int) $id)['state'] ?? '', ['done', 'failed'], true)) {
                $this->jobs->remove($id);
            }
        }
    }
}

/** Waits for a job's end: its worker has other requests meanwhile. */
function follow(Jobs $jobs, TaskPool $pool, int $id): void
{
    try {
        $result = $pool->run('job', $id);
        $jobs->change($id, 'done', is_string($result) ? $result : null);
    } catch (TaskException $error) {
        $jobs->change($id, 'failed', $error->getMessage());
    }
}

$server = new Server(workers: 2);
$jobs = new Jobs();
$pool = $server->tasks(fn(): array => [
    'job' => function (int $id) use ($jobs): string {
        $jobs->change($id, 'running');
        $seconds = $jobs->find($id)['seconds'] ?? 0.0;
        usleep((int) ($seconds * 1e6));  // in place of the real work: a picture, a report, a program
        return "slept for $seconds s";
    },
], workers: 3, queue: MOST_WAITING);

$server->service('report', function (Service $service) use ($pool): void {
    while ($service->wait(10.0)) {
        $figures = $pool->stats();
        if ($figures->waiting > 0) {
            error_log("$figures->running jobs run, $figures->waiting wait");
        }
    }
});
Timer::cron('0 3 * * *', $jobs->forgetEnded(...));

$server->http($address, function (Request $request, Response $response) use ($jobs, $pool): void {
    if (preg_match('~^/jobs/(\d{1,9})$~', $request->path(), $match)) {
        $job = $jobs->find((int) $match[1]);
        $job === null ? $response->status(404)->json(['error' => 'There is no such job']) : $response->json($job);
        return;
    }
    if ($request->path() !== '/jobs' || $request->method() !== 'POST') {
        $response->status(404)->json(['error' => 'POST /jobs, then GET /jobs/1']);
        return;
    }
    $seconds = filter_var($request->form('seconds', '1'), FILTER_VALIDATE_FLOAT, ['options' => ['min_range' => 0, 'max_range' => 3600]]);
    if ($seconds === false) {
        throw new BadRequest('"seconds" is a number from 0 to 3600');
    }
    if ($pool->stats()->waiting >= MOST_WAITING) {
        $response->status(503)->header('Retry-After', '5')->json(['error' => 'Too many jobs wait']);
        return;
    }
    $id = $jobs->add($seconds);
    Coroutine\spawn(follow(...), $jobs, $pool, $id);
    $response->status(202)->header('Location', "/jobs/$id")->json($jobs->find($id));
});

$server->run();
