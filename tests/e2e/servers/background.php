<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Limits, Worker};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(shutdownSeconds: (float) getenv('SHUTDOWN_SECONDS')));
$server->onWorkerStop(fn () => report('worker-stops'));
$server->http(address(), function (Request $request, Response $response): void {
    if ($request->path() === '/stream') {
        $events = $response->events();
        report('begun', ['in_time' => Worker::waitForEnd(0.01)]);
        while (!Worker::waitForEnd(600.0)) {
            $events->comment();
        }
        $events->send('the worker ends');
        report('ends', ['asked_again' => Worker::waitForEnd()]);
        return;
    }
    Coroutine\spawn(match ($request->path()) {
        '/finite' => function (): void {
            report('begun');
            // The coroutine sleeps longer than shutdownSeconds and the time to be cancelled.
            Coroutine\sleep(4.0);
            report('finished', ['was_stopping' => Worker::isStopping()]);
        },
        '/endless' => function (): void {
            report('begun');
            try {
                Coroutine\sleep(1000);
            } finally {
                Coroutine\shield(fn () => usleep(1000));
                report('cleaned-up');
            }
        },
        '/asks' => function (): void {
            report('begun');
            while (!Worker::isStopping()) {
                Coroutine\sleep(0.01);
            }
            report('has-asked');
        },
    });
    $response->text(Worker::isStopping() ? 'stopping' : 'serving');
});
$server->run();
