<?php

declare(strict_types=1);

// The smallest page: php hello.php <address> process|base. ADMIN in the environment: the admin listener's address.

use Sluice\Http\{Request, Response};
use Sluice\{Mode, Server};

$mode = Mode::from($argv[2]);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);
if ($admin = getenv('ADMIN')) {
    $server->admin($admin);
}
$server->http($argv[1], fn (Request $request, Response $response) => $response->text('hello world'));
$server->run();
