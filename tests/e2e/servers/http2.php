<?php

declare(strict_types=1);

require getenv('SUPPORT');
require __DIR__ . '/requests.php';

use Sluice\Http\{Request, Response};
use Sluice\Coroutine;
use Sluice\Coroutine\CancelledError;
use Sluice\{Dispatch, Http, Limits, Listener, Tls, WebSocket};

use function Sluice\EndToEnd\{address, answers_common, inspected, report, server, worker};

$server = server(limits: new Limits(
    writeSeconds: (float) (getenv('WRITE_SECONDS') ?: 30.0),
    http: new Http\Limits(
        bodyBytes: 8 << 20,
        headBytes: 8192,
        headerFields: 50,
        headSeconds: (float) (getenv('HEAD_SECONDS') ?: 60.0),
        keepAliveSeconds: (float) (getenv('KEEP_ALIVE_SECONDS') ?: 75.0),
    ),
    webSocket: new WebSocket\Limits(messageBytes: 4 << 20),
));

$handler = function (Request $request, Response $response) use ($server): void {
    if (answers_common($request, $response)) {
        return;
    }
    switch ($request->path()) {
        case '/inspect':
            $response->json(inspected($request) + [
                'secure' => $request->isSecure(),
                'form' => $request->formAll(),
            ]);
            return;
        case '/fields':
            $response->header('X-One', 'first')
                ->addHeader('set-cookie', 'a=1')->addHeader('Set-Cookie', 'b=2; HttpOnly')
                ->text('fields');
            return;
        case '/bytes':
            $response->end(str_repeat('x', (int) $request->query('n', '0')));
            return;
        case '/stream':
            $response->header('content-type', 'text/plain');
            for ($i = 0; $i < (int) $request->query('n', '3'); ++$i) {
                $response->write(str_repeat(chr(97 + $i % 26), (int) $request->query('size', '10')));
                Coroutine\sleep(0.01);
            }
            $response->end();
            return;
        case '/trailers':
            $response->write('body');
            $response->trailer('x-sum', '42')->end();
            return;
        case '/hints':
            $response->earlyHints('</a.css>; rel=preload');
            $response->text('hinted');
            return;
        case '/events':
            $events = $response->events();
            for ($i = 0; $i < 3; ++$i) {
                $events->send("number $i", 'count', (string) $i);
            }
            $events->end();
            return;
        case '/file':
            $response->sendFile(getenv('FILE'));
            return;
        case '/empty':
            $response->status(204)->end();
            return;
        case '/worker':
            $response->json(worker());
            return;
        case '/wait':
            report('waiting', ['pid' => getmypid()]);
            try {
                Coroutine\sleep((float) $request->query('seconds', '60'));
                $response->text('waited');
            } catch (CancelledError $cancelled) {
                report('cancelled');
                throw $cancelled;
            }
            return;
        case '/die':
            posix_kill(getmypid(), SIGKILL);
            Coroutine\sleep(60);
            return;
        case '/half-then-die':
            $response->write('half');
            Coroutine\sleep(0.2);
            posix_kill(getmypid(), SIGKILL);
            Coroutine\sleep(60);
            return;
    }
    $response->status(404)->text('nothing here');
};

final class Echoes implements WebSocket\Handler
{
    public function open(WebSocket\Connection $who, Request $request): void
    {
        $who->send("open {$request->protocol()} {$request->path()}");
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void
    {
        if (str_starts_with($data, 'subscribe ')) {
            $who->subscribe(substr($data, 10));
            $who->send('subscribed');
        } elseif (str_starts_with($data, 'publish ')) {
            $who->publish('room', substr($data, 8));
        } elseif ($data === 'close') {
            $who->close(4001, 'as asked');
        } else {
            $who->send($data, $binary);
        }
    }

    public function close(WebSocket\Connection $who, int $code, string $reason): void
    {
        report('websocket closed', ['code' => $code, 'reason' => $reason]);
    }
}

$folder = getenv('CERTIFICATES');
$sites = [
    $server->http(address(0), $handler),
    $server->http(address(1), $handler, limits: new Http\Limits(requestSeconds: 0.3)),
    $server->http(address(2), $handler, new Http\Options(dispatch: Dispatch::Sticky)),
];
if ($folder) {
    $tls = new Tls("$folder/one.pem", "$folder/one.key");
    $sites[] = $server->http(new Listener(address(3), $tls), $handler);
    $sites[] = $server->http(address(4), $handler, new Http\Options(versions: Http\Versions::Http1));
    $sites[] = $server->http(new Listener(address(5), $tls), $handler, new Http\Options(versions: Http\Versions::Http1));
}
foreach ($sites as $site) {
    $site->webSocket('/echo-ws', new Echoes(), new WebSocket\Options(['chat', 'plain']));
    $site->webSocket('/compressed-ws', new Echoes(), new WebSocket\Options(compression: new WebSocket\Compression()));
    $site->webSocket('/asking-ws', new Echoes(), new WebSocket\Options(['chat', 'plain']), handshake: function (WebSocket\Handshake $handshake): void {
        if ($handshake->request->query('refuse') !== null) {
            $handshake->refuse(403, 'not you');
        } else {
            $handshake->protocol('plain')->header('x-granted', 'yes');
        }
    });
}
$server->run();
