<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Coroutine, Worker};
use Sluice\Http\{Request, Response};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, report, server};

$server = server();
$handled = 0;

$server->onWorkerStart(function (): void {
    usleep(1000);
    Coroutine\spawn(function (): void {
        try {
            while (!Worker::isStopping()) {
                Coroutine\sleep(0.01);
            }
        } finally {
            report('background-ended');
        }
    });
});
$server->onWorkerStop(function (): void {
    usleep(1000);
    report('stopped-after-sleep');
});

$site = $server->http(address(), function (Request $request, Response $response) use (&$handled): void {
    report('begun', ['at_once' => ++$handled, 'path' => $request->path()]);
    $ms = (int) $request->query('ms', '0');
    $port = $request->query('port');
    try {
        switch ($request->path()) {
            case '/usleep':
                usleep($ms * 1000);
                break;
            case '/fetch':
                $response->text(file_get_contents("http://127.0.0.1:$port/" . $request->query('mark')));
                return;
            case '/stream':
                $stream = stream_socket_client("tcp://127.0.0.1:$port");
                fwrite($stream, "GET /{$request->query('mark')} HTTP/1.0\r\n\r\n");
                $response->text(substr(stream_get_contents($stream), -strlen($request->query('mark'))));
                return;
            case '/select':
                $stream = stream_socket_client("tcp://127.0.0.1:$port");
                fwrite($stream, "GET /{$request->query('mark')} HTTP/1.0\r\n\r\n");
                [$read, $none] = [[$stream], null];
                stream_select($read, $none, $none, 60);
                $response->text(count($read) . 'ready');
                return;
            case '/all':
                $response->json(Coroutine\all(
                    fn () => usleep($ms * 1000) ?? 1,
                    fn () => usleep($ms * 1000) ?? 2,
                ));
                return;
            case '/throw':
                usleep($ms * 1000);
                throw new RuntimeException('after a sleep');
            case '/exit':
                usleep($ms * 1000);
                exit(7);
            case '/pid':
                $response->text((string) getmypid());
                return;
        }
        $response->text($request->query('mark', 'none'));
    } finally {
        --$handled;
    }
});
$site->webSocket('/echo', new class implements Handler {
    public function open(Connection $who, Request $request): void {}

    public function message(Connection $who, string $data, bool $binary): void
    {
        report('slept-for', ['ms' => (int) $data]);
        usleep((int) $data * 1000);
        $who->send($data);
        if ($data === '500') {
            report('sent');
        }
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        usleep(1000);
        report('closed');
    }
});
$server->run();
