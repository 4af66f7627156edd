<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, Timer};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(stallSeconds: (float) getenv('STALL'), killSeconds: (float) (getenv('KILL') ?: 0)));

function compute(): void
{
    for ($end = microtime(true) + 0.8; microtime(true) < $end;);
}

function block(): void
{
    // open() of a pipe waits for the other end, and nothing suspends in it.
    $pipe = tempnam(sys_get_temp_dir(), 'sluice');
    unlink($pipe);
    posix_mkfifo($pipe, 0600);
    $writer = proc_open(['sh', '-c', 'sleep 0.8; echo >"$0"', $pipe], [], $none);
    try {
        fopen($pipe, 'r');
    } finally {
        unlink($pipe);
        proc_close($writer);
    }
}

$server->http(address(), function (Request $request, Response $response) use ($server): void {
    match ($request->path()) {
        '/compute' => compute(),
        '/block' => block(),
        '/for-ever' => (function () { for (;;); })(),
        '/for-ever-and-ever' => (function () {
            for (;;) {
                try {
                    for (;;);
                } catch (Throwable $e) {
                    report('caught', ['message' => $e->getMessage()]);
                }
            }
        })(),
        '/open-for-ever' => fopen((function () {
            posix_mkfifo($pipe = dirname(getenv('EVENTS')) . '/pipe', 0600);
            return $pipe;
        })(), 'r'),
        '/wait' => usleep(800_000),
        '/later' => Timer::after(0.001, function (): void {
            compute();
            report('fired');
        }),
        default => null,
    };
    $response->json(['stalls' => $server->stats()->stalls]);
});
$server->run();
