<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Compression, Options, Request, Response};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, report, server};

$server = server();
$site = $server->http(address(), function (Request $request, Response $response) use ($server): void {
    $topics = explode(',', (string) $request->query('topics'));
    match ($request->path()) {
        '/' => $response->html('<!DOCTYPE html><title>events</title>'),
        '/events' => (function () use ($request, $response, $topics): void {
            $events = $response->events();
            $events->send('the state', 'state', $request->query('id') ?? '1');
            try {
                $delivery = $events->subscribe(...$topics);
                report('handed over', ['delivery' => $delivery->name, 'pid' => getmypid()]);
                $events->send('more');
            } catch (Throwable $error) {
                report('refused', ['with' => $error::class . ': ' . $error->getMessage()]);
            }
        })(),
        '/publish' => [$server->publish($topics[0], $request->body()), $response->text('published')],
        '/subscribers' => $response->json($server->subscribers($topics[0])),
        '/listed' => $response->json(count($server->listSubscribers($topics[0]))),
        '/pid' => $response->json(getmypid()),
        '/last-id' => $response->text($request->header('last-event-id') ?? 'none'),
    };
});
$site->get('/compressed', function (Request $request, Response $response): void {
    try {
        $response->events()->subscribe('news');
    } catch (Throwable $error) {
        report('refused', ['with' => $error::class . ': ' . $error->getMessage()]);
    }
}, new Options(compression: new Compression()));
$site->webSocket('/socket', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->subscribe('news');
        $who->send('open');
    }

    public function message(Connection $who, string $data, bool $binary): void {}

    public function close(Connection $who, int $code, string $reason): void {}
});
$server->run();
