<?php
// Hello world by the names of Swoole 4: composer require sluice/swoole, then
// php -d sluice.swoole=6.2.2 -d auto_prepend_file=vendor/autoload.php examples/swoole/hello.php

$server = new swoole_http_server('127.0.0.1', (int) ($argv[1] ?? 9501));
$server->set(['worker_num' => 2]);
$server->on('request', function ($request, $response) {
    $response->end("<h1>Hello World. #{$request->server['request_uri']}</h1>");
});
$server->start();
