<?php

declare(strict_types=1);

// What the server answers itself. Ports: a site with error pages of its own; one without; one whose errors are HTML unless somebody wants
// otherwise; one with routes alone.

require getenv('SUPPORT');

use Sluice\Http\{BadRequest, ErrorFormat, ErrorPages, Files, Limits, Options, Request, Response};
use Sluice\{Coroutine, WebSocket};

use function Sluice\EndToEnd\{address, server};

$server = server(limits: new Sluice\Limits(http: new Limits(bodyBytes: 1000, headBytes: 4096)));
$files = new Files(__DIR__, '/files/');
$handler = function (Request $request, Response $response) use ($files): void {
    match ($request->path()) {
        '/die' => posix_kill(getmypid(), SIGKILL),
        '/slow' => Coroutine\sleep(60.0),
        '/throw' => throw new RuntimeException('secret'),
        '/bad' => throw new BadRequest('this is not <what> I "want"'),
        '/silent' => null,
        '/own' => $response->status(404)->text('my own'),
        '/files/none.txt' => $files->handle($request, $response),
        default => $response->text('hello'),
    };
};
$pages = new ErrorPages(
    html: ['*' => '<!doctype html><title>{status}</title><h1>Own page: {reason}</h1><p>{detail}</p>', 404 => '<h1>Own 404</h1>'],
    json: ['*' => '{"own":{status},"because":"{detail}"}'],
);
foreach ([new Options(errorPages: $pages), null, new Options(errorPages: new ErrorPages(otherwise: ErrorFormat::Html))] as $port => $options) {
    $site = $server->http(address($port), $handler, $options);
    $site->get('/hurries', fn () => Coroutine\sleep(60.0), limits: new Limits(requestSeconds: 0.2));
    $site->post('/posts', $handler);
    $site->webSocket('/asks', fn () => null, handshake: function (WebSocket\Handshake $handshake): void {
        throw new RuntimeException('cannot decide');
    });
}
$apart = new ErrorPages(html: ['*' => '<p>Of the route: {status}, request {request}'], json: ['*' => '{"request":{request},"of":"{reason}"}']);
$site = $server->http(address(3), null, new Options(errorPages: $pages))->get('/there', $handler);
$site->get('/apart/{what}', fn (Request $request, Response $response) => match ($request->parameter('what')) {
    'dies' => posix_kill(getmypid(), SIGKILL),
    'throws' => throw new RuntimeException('secret'),
    'waits' => Coroutine\sleep(60.0),
    default => $response->text('fine'),
}, new Options(errorPages: $apart), new Limits(requestSeconds: 0.2));
$site->post('/apart', $handler, new Options(errorPages: $apart), new Limits(bodyBytes: 10));
$server->run();
