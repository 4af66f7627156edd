<?php

declare(strict_types=1);

// The smallest page: php hello.php <address> process|base

use Sluice\Http\{Request, Response};
use Sluice\{Mode, Server};

$mode = Mode::from($argv[2]);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);
$server->http($argv[1], fn (Request $request, Response $response) => $response->text('hello world'));
$server->run();
