<?php

declare(strict_types=1);

// Jobs in the background, three at a time: make run SCRIPT=examples/jobs.php
//   curl -i -d 'seconds=2' http://127.0.0.1:9517/jobs      then, with the Location of the response: curl http://127.0.0.1:9517/jobs/1
//
// Jobs are in the worker's memory: when the server stops, jobs that have not begun are lost. A job that runs is finished first.

use Sluice\Coroutine;
use Sluice\Coroutine\{Channel, TimeoutException};
use Sluice\Http\{BadRequest, Request, Response};
use Sluice\Server;

$address = $argv[1] ?? '127.0.0.1:9517';

final class Job
{
    public string $state = 'queued';
    public ?string $result = null;

    public function __construct(public readonly int $id, public readonly float $seconds) {}

    public function run(): void
    {
        $this->state = 'running';
        try {
            // In place of the real work: a query, a call of another service, a program.
            Coroutine\sleep($this->seconds);
            $this->result = 'slept for ' . $this->seconds . ' s';
            $this->state = 'done';
        } catch (Exception $error) {
            $this->result = $error->getMessage();
            $this->state = 'failed';
        }
    }
}

$server = new Server(workers: 1);
/** @var array<int, Job> $jobs */
$jobs = [];
/** @var Channel<Job> $queue */
$queue = new Channel(100);

$server->onWorkerStart(function () use ($queue): void {
    for ($i = 0; $i < 3; ++$i) {
        Coroutine\spawn(function () use ($queue): void {
            foreach ($queue as $job) {
                // A worker that is to end cancels spawned coroutines. shield() lets a running job finish first.
                Coroutine\shield($job->run(...));
            }
        });
    }
});

$server->http($address, function (Request $request, Response $response) use (&$jobs, $queue): void {
    if (preg_match('~^/jobs/(\d{1,9})$~', $request->path(), $match)) {
        $job = $jobs[(int) $match[1]] ?? null;
        $job === null ? $response->status(404)->json(['error' => 'There is no such job']) : $response->json($job);
        return;
    }
    if ($request->path() !== '/jobs' || $request->method() !== 'POST') {
        $response->status(404)->json(['error' => 'POST /jobs, then GET /jobs/1']);
        return;
    }
    $seconds = filter_var($request->form('seconds', '1'), FILTER_VALIDATE_FLOAT, ['options' => ['min_range' => 0, 'max_range' => 3600]]);
    $job = new Job(count($jobs) + 1, $seconds === false ? throw new BadRequest('"seconds" is a number from 0 to 3600') : $seconds);
    try {
        $queue->push($job, timeout: 0.1);
    } catch (TimeoutException) {
        $response->status(503)->header('Retry-After', '5')->json(['error' => 'Too many jobs wait']);
        return;
    }
    $jobs[$job->id] = $job;
    $response->status(202)->header('Location', "/jobs/$job->id")->json($job);
});

$server->run();
