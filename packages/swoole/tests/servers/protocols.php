<?php

declare(strict_types=1);

// A server of HTTP/2 with a port that speaks Redis's protocol, requests that another process ends, and limits by options.

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

require __DIR__ . '/../../../../build/packages/vendor/autoload.php';

$port = (int) explode(':', (string) getenv('ADDRESS'))[1];
$server = new Server('127.0.0.1', $port, SWOOLE_PROCESS);
$server->set([
    'worker_num' => 1, 'task_worker_num' => 1, 'open_http2_protocol' => true, 'http_compression' => false, 'output_buffer_size' => 1 << 20,
    'package_max_length' => 8 << 20, 'max_concurrency' => 2,
]);
$server->on('task', function (Server $server, int $id, int $from, mixed $fd): void {
    $response = Response::create($server, (int) $fd);
    if ($response !== false) {
        $response->status(201);
        $response->header('X-Process', 'task');
        $response->write('from ');
        $response->end('a task worker');
    }
});
$server->on('request', function (Request $request, Response $response) use ($server): void {
    switch ($request->server['request_uri']) {
        case '/detached':
            $response->detach();
            $server->task($response->fd);
            break;
        case '/wait':
            while (!is_file((string) getenv("RELEASE"))) {
                Co::sleep(0.01);
            }
            $response->end('released');
            break;
        case '/long':
            $response->end(json_encode([@$response->end(str_repeat('x', (1 << 20) + 1)), swoole_last_error()]) ?: '');
            break;
        case '/fields':
            $response->header('X-Many', ["a\r\n", null, 5, ' b ']);
            $response->cookie('a', '1', 0, '/', '', false, true, 'Lax');
            $response->end(json_encode($request->header['x-twice'] ?? null) ?: '');
            break;
        case '/parts':
            foreach (['one', 'two'] as $part) {
                $response->write($part);
            }
            $response->trailer('x-end', 'yes');
            $response->end();
            break;
        default:
            $response->header('X-Method', $request->getMethod());
            $response->cookie('seen', $request->cookie['name'] ?? '-');
            $response->end(md5((string) $request->rawContent()));
    }
});
$server->start();
