<?php

declare(strict_types=1);

// Handlers that use Revolt's event loop with its own driver; sluice/revolt is not installed. AUTOLOAD: Composer's file.

require getenv('SUPPORT');
require getenv('AUTOLOAD');

use Revolt\EventLoop;
use Sluice\Coroutine\CancelledError;
use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Http, Limits};

use function Sluice\EndToEnd\{address, report, server};

function waited(string $what): string
{
    $suspension = EventLoop::getSuspension();
    EventLoop::delay(0.01, fn () => $suspension->resume($what));
    try {
        return $suspension->suspend();
    } catch (CancelledError $e) {
        report('cancelled', ['what' => $what]);
        throw $e;
    }
}

$server = server(limits: new Limits(http: new Http\Limits(requestSeconds: 7.0)));
$server->http(address(), function (Request $request, Response $response): void {
    switch ($request->path()) {
        case '/driver':
            $response->text(EventLoop::getDriver()::class);
            return;
        case '/one':
            $response->text(waited('one'));
            return;
        case '/several':
            $response->json(Coroutine\all(fn () => waited('first'), fn () => waited('second')));
            return;
        case '/run':
            EventLoop::run();
            return;
        case '/own-fiber':
            (new Fiber(EventLoop::run(...)))->start();
    }
});
$server->run();
