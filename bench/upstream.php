<?php

declare(strict_types=1);

// A service that takes 100 ms for each answer: php upstream.php <address>

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\Server;

$server = new Server(workers: 1, reactors: 1);
$server->http($argv[1], function (Request $request, Response $response): void {
    Coroutine\sleep(0.1);
    $response->text('at last');
});
$server->run();
