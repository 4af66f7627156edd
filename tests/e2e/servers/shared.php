<?php

declare(strict_types=1);

// A table, a counter, a lock and a limiter that all workers share. SHAPE is a file with the table's size.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\Shared\{Counter, Lock, RateLimiter, Table};
use Sluice\Worker;

use function Sluice\EndToEnd\{address, server};

$bytes = (int) file_get_contents(getenv('SHAPE'));
$server = server();
$table = new Table('table', $bytes);
$counter = new Counter('counter');
$lock = new Lock('lock');
$rate = new RateLimiter('rate', 10, 3600);
if ((int) getenv('SECOND') < $bytes) {
    $only = new Table('second');  // only a script of the later shape asks for it
}
if ($counter->get() === 0) {
    $table->set('booted', 'first');
}

$site = $server->http(address());
$site->get('/work', function (Request $request, Response $response) use ($table, $counter): void {
    $response->json([
        'pid' => getmypid(),
        'generation' => Worker::current()->generation,
        'counter' => $counter->add(),
        'table' => $table->increment('work'),
    ]);
});
$site->get('/table', fn (Request $request, Response $response) => $response->json([
    'booted' => $table->get('booted'),
    'work' => $table->get('work'),
    'counter' => $counter->get(),
    'generation' => Worker::current()->generation,
]));
$site->get('/inside', function (Request $request, Response $response) use ($lock, $table): void {
    $lock->use(function () use ($table): void {
        $sum = $table->get('inside', 0);
        usleep(200);
        $table->set('inside', $sum + 1);
    });
    $response->json($table->get('inside'));
});
// The worker dies with the lock.
$site->get('/die', function (Request $request, Response $response) use ($lock): void {
    $held = $lock->acquire('deadly');
    posix_kill(getmypid(), SIGKILL);
});
$site->get('/lock', fn (Request $request, Response $response) => $response->json($lock->acquire('deadly', 30)->isHeld()));
$site->get('/rate', fn (Request $request, Response $response) => $response->json($rate->take('all')->allowed));
$site->get('/make', function (Request $request, Response $response): void {
    $made = [];
    foreach (['table', 'unknown', 'second'] as $name) {
        try {
            $made[$name] = (new Table($name, $name === 'table' ? (int) $request->query('bytes') : 16 << 20))->get('booted');
        } catch (Throwable $error) {
            $made[$name] = $error::class . ': ' . $error->getMessage();
        }
    }
    $response->json($made);
});
$site->get('/fork', function (Request $request, Response $response) use ($table): void {
    $child = pcntl_fork();
    if ($child === 0) {
        $table->set('child', getmypid());
        exit(0);
    }
    pcntl_waitpid($child, $status);
    $response->json($table->get('child') === $child);
});
$server->run();
