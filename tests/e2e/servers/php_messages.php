<?php

declare(strict_types=1);

// Makes PHP say something in each kind of handler.

require getenv('SUPPORT');

use Sluice\{Coroutine, Worker};
use Sluice\Http\{Request, Response};
use Sluice\Tcp\Framing;
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{address, server};

ini_set('display_errors', '0');
ini_set('log_errors', '1');
if (getenv('CHANGES')) {
    require getenv('CHANGES');
}

$server = server(logFile: getenv('LOG_FILE'));
$server->onWorkerStart(function (): void {
    trigger_error('at the start', E_USER_NOTICE);
});
$site = $server->http(address(0), function (Request $request, Response $response): void {
    match ($request->path()) {
        '/warning' => trigger_error('a warning', E_USER_WARNING),
        '/spawned' => Coroutine\spawn(fn () => trigger_error('in a task', E_USER_WARNING))->await(),
        '/fatal' => trigger_error('the end', E_USER_ERROR),
        default => null,
    };
    $response->text('fine');
});
$site->webSocket('/chat', function (Connection $who, string $data): void {
    trigger_error($data, E_USER_WARNING);
    $who->send($data);
});
$server->tcp(address(1), Framing::line(), function (\Sluice\Tcp\Connection $who, string $data): void {
    trigger_error($data, E_USER_WARNING);
    $who->send("$data\n");
});
$server->run();
