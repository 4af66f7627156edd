<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, server};

$server = server();
$handle = function (Request $request, Response $response): void {
    match ($request->path()) {
        '/file' => $response->header('Worker', (string) getmypid())->sendFile(__FILE__),
        default => $response->text((string) getmypid()),
    };
};
$server->http(address(), $handle);
if (file_exists(getenv('MORE'))) {
    $server->http(address(1), $handle);
}
$server->run();
