<?php

declare(strict_types=1);

use Sluice\FrankenPhp\WorkerScript;
use Sluice\Http\Options;
use Sluice\Server;

require __DIR__ . '/../../../../build/packages/vendor/autoload.php';

$script = new WorkerScript(__DIR__ . '/worker.php');
$server = new Server(workers: 1);
$script->addTo($server);
$server->http((string) getenv('ADDRESS'), $script, new Options(classic: true, concurrency: 1));
$server->run();
