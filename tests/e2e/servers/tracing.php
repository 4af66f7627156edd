<?php

declare(strict_types=1);

// For tests/e2e/observer/test_tracing.py: spans for the collector that the environment names.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

$server = server();
if (getenv('ADMIN')) {
    $server->admin(address(1), getenv('TOKEN'));
}
$server->tracing(headers: ['X-Api-Key' => 'secret']);
$site = $server->http(address(), fn (Request $request, Response $response) => $response->json(['trace' => $request->trace()->traceId(),
    'span' => $request->trace()->spanId(), 'sampled' => $request->trace()->isSampled(), 'decided' => $request->trace()->isDecided()]));
$site->get('/items/{id}', function (Request $request, Response $response): void {
    usleep(3000);
    $response->text('item');
});
$site->get('/fail', fn () => throw new \RuntimeException('as the test wants it'));
$server->run();
