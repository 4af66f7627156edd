<?php

declare(strict_types=1);

// A script that was written for php-fpm: php scripts.php <address> <script> classic|processes <how many at a time>

use Sluice\Http\{Options, Script};
use Sluice\Server;

[, $address, $script, $way, $count] = $argv;
$server = new Server(workers: 1, reactors: 1);
$server->http($address, new Script($script), $way === 'processes' ? new Options(processes: (int) $count) : null);
$server->run();
