<?php

declare(strict_types=1);

require getenv('SUPPORT');
require __DIR__ . '/exit_places.php';

use Sluice\{Coroutine, Timer};
use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, exit_places, report, server};

$places = exit_places() + [
    'timer' => function () { Timer::after(0, fn () => exit(7)); usleep(60_000_000); },
    'timer, after a wait' => function () { Timer::after(0, fn () => usleep(2000) ?? exit(7)); usleep(60_000_000); },
];

$server = server();
$server->onWorkerStart(fn () => register_shutdown_function(fn () => report('shutdown')));
$server->http(address(), function (Request $request, Response $response) use ($places): void {
    if ($request->path() === '/wait') {
        report('waits');
        usleep(60_000_000);
    } elseif ($request->path() === '/exit') {
        $places[$request->query('place')]();
        return;
    }
    $response->text('served');
});
$server->run();
