<?php

declare(strict_types=1);

// The tests copy this script, and change the copy between two boots. Tasks called "hold" go on for as long as there is a file HOLD, or one of HOLD
// and their mark.

require getenv('SUPPORT');

use Sluice\Http\{Options, Request, Response};
use Sluice\{Coroutine, Limits, Service, TaskFailedException};

use function Sluice\EndToEnd\{address, report, server};

const RELEASE = 'one';

function hold(string $mark): string
{
    report('holds', ['mark' => $mark, 'pid' => getmypid()]);
    while (file_exists(getenv('HOLD')) || file_exists(getenv('HOLD') . ".$mark")) {
        clearstatcache();
    }
    return $mark . ' of ' . RELEASE;
}

$server = server(limits: new Limits(stallSeconds: 0.2, killSeconds: 1.0, shutdownSeconds: 5.0, bootSeconds: (float) (getenv('BOOT_SECONDS') ?: 60)));
$pool = $server->tasks(
    boot: function (): array {
        report('boots', ['pid' => getmypid(), 'release' => RELEASE]);
        if (file_exists(getenv('HOLD') . '.broken')) {
            throw new RuntimeException('this pool cannot begin');
        }
        while (file_exists(getenv('HOLD') . '.hangs')) {
            clearstatcache();
            usleep(10_000);
        }
        return [
            'echo' => fn(mixed $payload) => $payload,
            'pid' => fn() => getmypid(),
            'hold' => hold(...),
            'throw' => fn() => throw new DomainException('of the task', 7),
            'exit' => fn() => exit(3),
            'closure' => fn() => fn() => null,
            'leak' => function (): void {
                ini_set('memory_limit', '32M');
                for ($all = ''; ; $all .= str_repeat('x', 1 << 20)) {
                }
            },
            'compute' => function (float $seconds): string {
                for ($end = hrtime(true) + $seconds * 1e9; hrtime(true) < $end;) {
                }
                return 'computed';
            },
            'spin' => function (): void {
                report('spins', ['pid' => getmypid()]);
                while (true);
            },
            'sleep' => function (): void {
                report('sleeps', ['pid' => getmypid()]);
                try {
                    sleep(1000);
                } finally {
                    report('woken');
                }
            },
        ];
    },
    workers: 2,
    queue: 3,
    graceSeconds: 0.3,
);

$server->service('asks', function (Service $service) use ($pool): void {
    report('asked', ['result' => $pool->run('echo', 'from a service')]);
    if (file_exists(getenv('HOLD') . '.by-service')) {
        report('answered', ['result' => $pool->run('hold', 'by-service')]);
    }
    $service->wait(1000);
});
$site = $server->http(address());
$site->get('/run', function (Request $request, Response $response) use ($pool): void {
    $timeout = $request->query('timeout');
    try {
        $response->json(['result' => $pool->run($request->query('task'), json_decode($request->query('payload', 'null')),
            (int) $request->query('priority', '0'), $timeout === null ? null : (float) $timeout)]);
    } catch (Throwable $e) {
        $response->json(['exception' => $e::class, 'message' => $e->getMessage(), 'code' => $e->getCode()]
            + ($e instanceof TaskFailedException ? ['class' => $e->class, 'trace' => $e->taskTrace] : []));
        if ($e instanceof Error) {
            throw $e;
        }
    }
});
$site->get('/many', function (Request $request, Response $response) use ($pool): void {
    $wrong = 0;
    $tasks = [];
    // So many tasks fill the queue and the processes.
    for ($one = 0; $one < 4; ++$one) {
        $tasks[] = function () use ($pool, $one, &$wrong): void {
            for ($i = 0; $i < 50; ++$i) {
                $payload = [$one, $i, str_repeat(chr(65 + $one), ($i % 10) * 30_000)];
                $wrong += $pool->run('echo', $payload) === $payload ? 0 : 1;
            }
        };
    }
    Coroutine\all(...$tasks);
    $response->text("$wrong wrong");
});
$site->get('/stats', fn(Request $request, Response $response) => $response->json(get_object_vars($pool->stats())));
$server->run();
