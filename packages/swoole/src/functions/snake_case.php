<?php

declare(strict_types=1);

// The names of 4.x: swoole_http_server for Swoole\Http\Server.

\spl_autoload_register(static function (string $name): void {
    $lower = \strtolower($name);
    if (!\str_starts_with($lower, 'swoole_')) {
        return;
    }
    $class = match ($lower) {
        'swoole_server_port' => 'Swoole\Server\Port',
        'swoole_server_task' => 'Swoole\Server\Task',
        'swoole_process_pool' => 'Swoole\Process\Pool',
        'swoole_atomic_long' => 'Swoole\Atomic\Long',
        'swoole_connection_iterator' => 'Swoole\Connection\Iterator',
        'swoole_timer_iterator' => 'Swoole\Timer\Iterator',
        'swoole_mysql_coro' => 'Swoole\Coroutine\MySQL',
        'swoole_redis_coro' => 'Swoole\Coroutine\Redis',
        'swoole_pgsql_coro' => 'Swoole\Coroutine\PostgreSQL',
        'swoole_channel_coro' => 'Swoole\Coroutine\Channel',
        'swoole_client_coro' => 'Swoole\Coroutine\Client',
        'swoole_socket_coro' => 'Swoole\Coroutine\Socket',
        'swoole_http_client_coro' => 'Swoole\Coroutine\Http\Client',
        'swoole_http2_client_coro' => 'Swoole\Coroutine\Http2\Client',
        'swoole_http_server_coro' => 'Swoole\Coroutine\Http\Server',
        'swoole_redis_server' => 'Swoole\Redis\Server',
        'swoole_websocket_server' => 'Swoole\WebSocket\Server',
        'swoole_websocket_frame' => 'Swoole\WebSocket\Frame',
        'swoole_websocket_closeframe' => 'Swoole\WebSocket\CloseFrame',
        'swoole_exitexception', 'swoole_exit_exception' => 'Swoole\ExitException',
        default => 'Swoole\\' . \str_replace(' ', '\\', \ucwords(\str_replace('_', ' ', \substr($lower, 7)))),
    };
    if (\class_exists($class)) {
        \class_alias($class, $name);
    }
});

// Names of classes have no case: Co\http\client is Swoole\Coroutine\Http\Client.
\spl_autoload_register(static function (string $name): void {
    static $files = null;
    if (\strncasecmp($name, 'swoole\\', 7) !== 0) {
        return;
    }
    if (!\is_array($files)) {
        $files = [];
        $folder = \dirname(__DIR__) . '/Swoole';
        for ($depth = '*.php'; ($paths = \glob("$folder/$depth") ?: []) !== []; $depth = "*/$depth") {
            foreach ($paths as $path) {
                $files[\strtolower(\strtr(\substr($path, \strlen($folder) + 1, -4), '/', '\\'))] = $path;
            }
        }
    }
    $file = $files[\strtolower(\substr($name, 7))] ?? null;
    if (\is_string($file)) {
        require_once $file;
    }
});
