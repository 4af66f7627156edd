<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{AccessLog, LogFormat, Options, Request, Response};
use Sluice\{Http, Limits, WebSocket};

use function Sluice\EndToEnd\{address, report, server};

$format = constant(LogFormat::class . '::' . (getenv('FORMAT') ?: 'Json'));
$server = server(limits: new Limits(accessLogBytes: (int) (getenv('LOG_BYTES') ?: 1 << 20), http: new Http\Limits(headSeconds: 1.0, headBytes: 2048)));

$handler = function (Request $request, Response $response): void {
    switch ($request->path()) {
        case '/parts':
            $response->write('one');
            $response->write('two');
            $response->end();
            return;
        case '/file':
            $response->sendFile(__FILE__);
            return;
        case '/nothing':
            $response->status(204)->end();
            return;
        case '/slow':
            report('slow');
            Sluice\Coroutine\sleep(60.0);
            return;
        case '/die':
            posix_kill(getmypid(), SIGKILL);
            sleep(60);
            return;
        case '/throw':
            throw new RuntimeException('thrown on purpose');
        case '/big':
            $response->end(str_repeat('x', (int) $request->query('bytes')));
            return;
        default:
            $response->text('hello');
    }
};
$site = $server->http(address(), $handler, new Options(cancelOnDisconnect: true, accessLog: new AccessLog(getenv('LOG'), $format)),
    new Http\Limits(requestSeconds: 5.0));
$site->get('/users/{id}', $handler);
$site->webSocket('/rooms/{room}', fn () => null);
$site->webSocket('/ws', fn (WebSocket\Connection $who, string $data) => $who->send($data));
$site->webSocket('/asked', fn () => null, handshake: function (WebSocket\Handshake $handshake): void {
    if ($handshake->request->query('refuse')) {
        $handshake->refuse(401);
    }
});
$server->run();
