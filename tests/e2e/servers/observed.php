<?php

declare(strict_types=1);

// For tests/e2e/observer: an HTTP site with an admin listener, which the environment describes.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

$server = server();
$server->admin(getenv('ADMIN') ?: address(1), getenv('TOKEN') ?: null);
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text('hello'));
$site->get('/spin', function (): void {
    report('spins');
    while (true) {
    }
});
$server->run();
