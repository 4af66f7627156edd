<?php

declare(strict_types=1);

// For tests/e2e/observer/test_profiles.py: requests whose profiles have known shapes.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Coroutine\Channel;
use Sluice\Http\{Request, Response};

function burn(float $milliseconds): int
{
    $until = hrtime(true) + $milliseconds * 1e6;
    $count = 0;
    while (hrtime(true) < $until) {
        for ($i = 0; $i < 100; $i++) {
            $count += $i % 7;
        }
    }
    return $count;
}

/** Does a fixed amount of work. */
function work(int $rounds): int
{
    $sum = 0;
    for ($i = 0; $i < $rounds * 1000; $i++) {
        $sum = ($sum * 31 + $i) % 1000003;
    }
    return $sum;
}

function seventy(): int
{
    return work(200);
}

function thirty(): int
{
    return work(200);
}

/** The CPU time of this process, in microseconds. */
function used_us(): int
{
    $used = getrusage();
    return 1_000_000 * ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
}

function leak(int $bytes): void
{
    static $kept = [];
    $kept[] = str_repeat('x', $bytes);
}

function churn(int $bytes): int
{
    return strlen(str_repeat('y', $bytes));
}

$server = server();
$server->admin(getenv('ADMIN') ?: address(1), getenv('TOKEN') ?: null);
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text((string) getmypid()));
$site->get('/split/{seconds}', function (Request $request, Response $response): void {
    $until = hrtime(true) + (float) $request->parameter('seconds') * 1e9;
    $used = ['seventy' => 0, 'thirty' => 0];
    while (hrtime(true) < $until) {
        // In no order that the kernel's slices of time could go along with: each sample finds one of the two by chance.
        $name = random_int(1, 10) <= 7 ? 'seventy' : 'thirty';
        $before = used_us();
        (__NAMESPACE__ . "\\$name")();
        $used[$name] += used_us() - $before;
        Coroutine\sleep(0);
    }
    $response->json($used);
});
$site->get('/hash/{seconds}', function (Request $request, Response $response): void {
    $text = str_repeat('x', 20_000_000);
    $until = hrtime(true) + (float) $request->parameter('seconds') * 1e9;
    while (hrtime(true) < $until) {
        md5($text);
    }
    $response->text('done');
});
$site->get('/spin', function (): void {
    report('spins');
    while (true) {
        work(1);
    }
});
$site->get('/waits/{count}', function (Request $request, Response $response): void {
    $waited = 0;
    $tasks = [];
    for ($i = 0; $i < (int) $request->parameter('count'); $i++) {
        $tasks[] = function () use ($i, &$waited): void {
            for ($turn = 0; $turn < 20; $turn++) {
                $begun = hrtime(true);
                usleep(5000 + 100 * $i);
                $waited += hrtime(true) - $begun;
            }
        };
    }
    Coroutine\all(...$tasks);
    $response->text((string) $waited);
});
$site->get('/channel', function (Request $request, Response $response): void {
    report('pops');
    static $channel = new Channel(1);
    $channel->pop();
    $response->text('done');
});
$site->get('/query', function (Request $request, Response $response): void {
    $pdo = new \PDO('mysql:host=127.0.0.1;dbname=test;port=' . getenv('MARIADB_PORT'), 'sluice', 'secret');
    $pdo->query("SELECT SLEEP(" . $request->query('seconds', '1') . "), 'a secret'")->fetchAll();
    usleep(20_000);
    $response->text('done');
});
$site->get('/leak', function (Request $request, Response $response): void {
    for ($i = 0; $i < 50; $i++) {
        leak(20_000);
        churn(10_000);
    }
    $response->text('done');
});
$server->run();
