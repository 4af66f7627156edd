<?php

declare(strict_types=1);

// The tests copy this script, and change the copy's constants between two boots.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, Site, WebSocket};
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{address, report, server, worker};

const RELEASE = 'one';
const HANDLER = 'good';
const SECONDS = 1.0;
const SHARE = 0.1;

if (HANDLER === 'broken') {
    throw new RuntimeException('no database');
}
$server = server(limits: new Limits(shutdownSeconds: 3.0));
if (SECONDS > 0) {
    $server->canary(SECONDS, SHARE);
}
$server->admin(address(1), 'a-token-of-this-test');
$site = $server->http(address(), function (Request $request, Response $response): void {
    if ($request->path() === '/sleep') {
        report('sleeping', worker());
        usleep(1_000_000);
        $response->text(RELEASE);
        return;
    }
    match (HANDLER) {
        'good' => null,
        'throws' => throw new RuntimeException('a mistake in release ' . RELEASE),
        'slow' => usleep(2_000_000),
        'spins' => (function (): never { while (true); })(),
        'exits' => exit(3),
    };
    $response->text(RELEASE);
});
$site->webSocket('/echo', fn (Connection $who, string $data) => $who->send(RELEASE . " $data"));
$server->run();
