<?php

declare(strict_types=1);

// A server whose options say what is parsed, and how much is taken.

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

require __DIR__ . '/../../../../build/packages/vendor/autoload.php';

$server = new Server('127.0.0.1', (int) explode(':', (string) getenv('ADDRESS'))[1], SWOOLE_PROCESS);
$server->set([
    'worker_num' => 1, 'http_parse_post' => false, 'http_parse_cookie' => false, 'package_max_length' => 100_000, 'upload_max_filesize' => 300_000,
    'dispatch_mode' => 2, 'http2_max_concurrent_streams' => 5, 'send_timeout' => 10,
]);
$server->on('request', function (Request $request, Response $response): void {
    if ($request->server['request_uri'] === '/long') {
        $response->header('X-Mixed', '1');
        $response->end(str_repeat('abc', 2000));
        return;
    }
    $response->end((string) json_encode(['post' => $request->post, 'cookie' => $request->cookie, 'get' => $request->get, 'raw' => substr((string) $request->rawContent(), 0, 10)]));
});
$server->start();
