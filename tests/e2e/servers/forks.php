<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Coroutine, Http};
use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, report, server};

/** Forks; the child does what is asked for, and says so. */
function forked(Request $request, Response $response, ?string $way = null): int
{
    $child = pcntl_fork();
    if ($child > 0) {
        return $child;
    }
    $said = [];
    switch ($way ?? $request->path()) {
        case '/exit':
            $response->text('of the child');
            exit(3);
        case '/exit-in-fiber':
            (new Fiber(function (): void { Fiber::suspend(exit(6)); }))->start();
        case '/kill':
            posix_kill(getmypid(), SIGKILL);
        case '/return':
        case '/plain-exit':
            return 0;
        case '/throw':
            throw new Exception('out of the child');
        case '/body':
            // The body is large enough to travel in shared memory.
            $body = $request->body();
            $copies = array_fill(0, 100, $body);
            $body[0] = 'x';
            unset($copies);
            report('child', ['pid' => getmypid(), 'length' => strlen($body), 'first' => $body[0]]);
            exit(0);
        case '/waits':
            usleep(1000);
            Coroutine\sleep(0.001);
            try {
                Coroutine\spawn(fn () => null);
            } catch (Throwable $e) {
                $said[] = $e->getMessage();
            }
            $said[] = Coroutine\run(function () { usleep(1000); return 'a run() of its own'; });
            report('child', ['pid' => getmypid(), 'said' => $said]);
            exit(0);
        case '/stays':
            report('child', ['pid' => getmypid()]);
            while (true) {
                usleep(10_000);
            }
    }
}

/** Of a script: it echoes, and ends by exit(). */
function classic(Request $request, Response $response): void
{
    echo 'begun ';
    $way = '/' . $_GET['way'];
    $parent = getmypid();
    $later = $_GET['way'] === 'later-status';
    register_shutdown_function(fn () => report('classic-shutdown', ['pid' => getmypid()]));
    if ($_GET['way'] === 'spawned') {
        $child = Coroutine\spawn(function (): int { $child = pcntl_fork(); return $child ?: exit(8); })->await();
    } elseif ($later) {
        register_shutdown_function(function () use ($parent): void { getmypid() !== $parent && exit(7); });
    }
    $child ??= $later ? pcntl_fork() : forked($request, $response, $way);
    if ($child === 0) {
        echo 'of the child';
        flush();
        exit($_GET['way'] === 'return' ? 0 : 5);
    }
    pcntl_waitpid($child, $status);
    header('X-Parent: yes');
    echo json_encode(['child' => $child, 'status' => $status]);
    exit(9);
}

$server = server();
$server->onWorkerStart(fn () => register_shutdown_function(fn () => report('shutdown', ['pid' => getmypid()])));
$site = $server->http(address(), function (Request $request, Response $response): void {
    if ($request->path() === '/other') {
        try {
            report('waits');
            usleep((int) $request->query('ms') * 1000);
            $response->text('other');
        } finally {
            report('finally', ['pid' => getmypid()]);
        }
        return;
    }
    if ($request->path() === '/pid') {
        $response->text((string) getmypid());
        return;
    }
    $body = $request->body();
    $child = forked($request, $response);
    if ($child === 0) {
        return;
    }
    if ($request->path() !== '/stays') {
        pcntl_waitpid($child, $status);
    }
    $response->text(json_encode(['child' => $child, 'status' => $status ?? null, 'body' => md5($body)]));
});
$site->get('/classic', classic(...), new Http\Options(classic: true));
$server->run();
