<?php

declare(strict_types=1);

require getenv('SUPPORT');

// Who is told of requests, responses and errors. /throw, /bad, /wait, /kept; ?observer=throw|wait|exit|cancelled makes one of them fail.

use Sluice\Coroutine;
use Sluice\Coroutine\ContextValue;
use Sluice\Http\{BadRequest, Request, Response};
use Sluice\{Tcp, Timer};
use Sluice\WebSocket\Handshake;

use function Sluice\EndToEnd\{address, report, server};

$server = server();
$trace = new ContextValue('none');
$kept = [];

$server->onRequest(function (Request $request) use ($trace): void {
    $trace->set($request->query('trace', 'unset'));
    report('request', ['path' => $request->path()]);
    match ($request->query('observer')) {
        'throw' => throw new LogicException('the observer fails'),
        'wait' => Coroutine\sleep(60),
        'exit' => exit(0),
        default => null,
    };
});
$server->onRequest(fn (Request $request) => report('second', ['path' => $request->path()]));
$server->onResponse(function (Request $request, Response $response, float $seconds) use ($trace): void {
    report('response', ['path' => $request->path(), 'status' => $response->statusCode(), 'ended' => $response->isEnded(),
        'in_time' => $seconds >= 0 && $seconds < 30, 'trace' => $trace->get()]);
    if ($request->query('observer') === 'throw') {
        throw new LogicException('the observer of responses fails');
    }
});
$server->onError(function (Throwable $error, ?Request $request) use ($trace): void {
    // An error tracker sends its reports to another server.
    Coroutine\sleep(str_starts_with($error->getMessage(), 'slow') ? 1.0 : 0.01);
    report('error', ['message' => $error->getMessage(), 'path' => $request?->path(), 'trace' => $trace->get()]);
    if ($request?->query('observer') === 'throw') {
        throw new LogicException('the observer of errors fails');
    }
});

$site = $server->http(address(0), function (Request $request, Response $response) use (&$kept): void {
    switch ($request->path()) {
        case '/throw':
            throw new RuntimeException($request->query('message', 'thrown'));
        case '/bad':
            throw new BadRequest('no such thing');
        case '/wait':
            report('begun');
            Coroutine\sleep(60);
            return;
        case '/kept':
            $kept[] = $response;
            return;
        case '/spawn':
            Coroutine\spawn(fn () => throw new RuntimeException('in a spawned coroutine'));
            $response->text('spawned');
            return;
        case '/timer':
            Timer::after(0.001, fn () => throw new RuntimeException('in a timer'));
            $response->text('armed');
            return;
        default:
            $response->status(202)->text('hello');
    }
});
$site->webSocket('/socket', fn () => throw new RuntimeException('slow: in a WebSocket handler'), handshake: function (Handshake $handshake): void {
    if ($handshake->request->query('refuse') !== null) {
        throw new RuntimeException('slow: in a handshake');
    }
});
$server->tcp(address(1), Tcp\Framing::line(), fn (Tcp\Connection $who, string $line) => throw new RuntimeException("in a TCP handler: $line"));
$server->run();
