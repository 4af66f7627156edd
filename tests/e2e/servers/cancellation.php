<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Coroutine, Http};
use Sluice\Coroutine\CancelledError;
use Sluice\Http\{Request, Response};
use Sluice\Limits;

use function Sluice\EndToEnd\{address, report, server};

function handle_classic(): void
{
    swallow('handler');
}

$server = server(limits: new Limits(http: new Http\Limits(requestSeconds: 0.2)));

/** Waits in the way that is asked for, for ever as far as a test is concerned. */
function wait_in(string $way, string $port): void
{
    match ($way) {
        'usleep' => usleep(600_000_000),
        'sleep' => Coroutine\sleep(600),
        'fread' => fread(stream_socket_client("tcp://127.0.0.1:$port"), 100),
        'fetch' => file_get_contents("http://127.0.0.1:$port/"),
        'select' => select(stream_socket_client("tcp://127.0.0.1:$port")),
        'all' => Coroutine\all(
            fn () => usleep(600_000_000),
            function (): void {
                try {
                    usleep(600_000_000);
                } finally {
                    report('child-ended');
                }
            },
        ),
        'await' => Coroutine\spawn(function (): void {
            report('spawned');
            usleep(300_000);
            report('spawned-done');
        })->await(),
    };
}

function select(mixed $stream): void
{
    [$read, $none] = [[$stream], null];
    stream_select($read, $none, $none, 600);
}

/** A loop that no cancellation ends, as of a framework that reports what it catches and tries again. */
function swallow(string $end): void
{
    report('begun');
    $never = function (): void {
        try {
            while (true) {
                try {
                    usleep(600_000_000);
                } catch (Throwable $e) {
                    report('swallowed', ['class' => $e::class]);
                }
            }
        } finally {
            report('ended');
        }
    };
    match ($end) {
        'handler' => $never(),
        'deferred' => Coroutine\defer($never),
    };
    usleep(600_000_000);
}

function handle(Request $request, Response $response): void
{
    if ($request->path() === '/hello') {
        $response->text('hello');
        return;
    }
    if ($request->path() === '/worker') {
        $response->text((string) getmypid());
        return;
    }
    if ($request->path() === '/coroutines') {
        $response->text((string) Coroutine\stats()->live);
        return;
    }
    if ($request->path() === '/swallow') {
        swallow($request->query('end'));
        return;
    }
    report('begun');
    try {
        switch ($request->path()) {
            case '/begun':
                $response->write('part');
                usleep(500_000);
                $response->end('whole');
                return;
            case '/until':
                $response->write('part');
                while (!file_exists($request->query('until'))) {
                    usleep(10_000);
                    clearstatcache();
                }
                $response->end('whole');
                return;
            case '/shield':
                $result = Coroutine\shield(function (): string {
                    usleep(300_000);
                    report('shielded-done');
                    return 'kept';
                });
                report('after-shield', ['result' => $result]);
                if ($request->query('in') === 'nothing') {
                    return;
                }
                break;
            case '/catch':
                try {
                    usleep(600_000_000);
                } catch (CancelledError) {
                    usleep(1000);
                    report('delivery', ['name' => $response->text('caught')->name]);
                }
                return;
            case '/framework':
                try {
                    wait_in($request->query('in', 'usleep'), '0');
                } catch (Exception $exception) {
                    report('swallowed', ['class' => $exception::class]);
                    $response->status(500)->text('an error page');
                }
                return;
            case '/spin':
                for ($end = microtime(true) + 1; microtime(true) < $end;);
                break;
        }
        wait_in($request->query('in', 'usleep'), $request->query('port', '0'));
        report('not-cancelled');
    } catch (CancelledError $exception) {
        report('cancelled', ['message' => $exception->getMessage()]);
        throw $exception;
    } finally {
        // Code that cleans up may wait.
        usleep(1000);
        report('cleaned-up');
    }
}

$forever = new Http\Limits(requestSeconds: 0);
$server->http(address(0), handle(...), limits: $forever)->get('/classic', handle_classic(...), new Http\Options(classic: true));
$server->http(address(1), handle(...));
$server->http(address(2), handle(...), new Http\Options(cancelOnDisconnect: false), $forever);
$server->run();
