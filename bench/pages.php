<?php

declare(strict_types=1);

// Small pages and long uploads: php pages.php <address> process|base

use Sluice\Http\{Bodies, Limits, Options, Request, Response};
use Sluice\{Mode, Server};

const MIB = 1 << 20;

$mode = Mode::from($argv[2]);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);
$site = $server->http($argv[1], fn (Request $request, Response $response) => $response->text('hello world'));
$site->get('/json', function (Request $request, Response $response): void {
    $rows = [];
    for ($id = 1; $id <= 10; ++$id) {
        $rows[] = ['id' => $id, 'name' => "item $id", 'price' => $id * 1.25, 'available' => $id % 3 > 0];
    }
    $response->json(['count' => count($rows), 'rows' => $rows]);
});
$whole = new Limits(bodyBytes: 16 * MIB, bodyFileBytes: 16 * MIB);
$site->post('/whole', fn (Request $request, Response $response) => $response->text((string) strlen($request->body())), limits: $whole);
$site->any('/stream', function (Request $request, Response $response): void {
    $bytes = 0;
    for ($body = $request->bodyStream(); ($chunk = fread($body, 256 << 10)) !== '' && $chunk !== false;) {
        $bytes += strlen($chunk);
    }
    $response->text((string) $bytes);
}, new Options(bodies: Bodies::Stream), new Limits(bodyBytes: 16 * MIB));
$server->run();
