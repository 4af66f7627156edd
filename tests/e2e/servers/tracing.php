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
$site->get('/query/{driver}', function (Request $request, Response $response): void {
    $query = "SELECT SLEEP(0.5), 'of the client' FROM information_schema.tables LIMIT 1";
    $port = (int) getenv('DB_PORT');
    if ($request->parameter('driver') === 'mysqli') {
        $rows = (new \mysqli('127.0.0.1', 'sluice', 'secret', 'test', $port))->query($query)->fetch_row();
    } else {
        $database = new \PDO("mysql:host=127.0.0.1;port=$port;dbname=test", 'sluice', 'secret');
        if ($request->parameter('driver') === 'prepared') {
            $statement = $database->prepare($query);
            $statement->execute();
        } else {
            $statement = $database->query($query);
        }
        $rows = $statement->fetch(\PDO::FETCH_NUM);
    }
    $response->json($rows);
});
$site->get('/fail', fn () => throw new \RuntimeException('as the test wants it'));
$server->run();
