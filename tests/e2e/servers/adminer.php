<?php

declare(strict_types=1);

// Serves Debian's adminer, unchanged.

namespace Sluice\EndToEnd;

use Sluice\Http;

require __DIR__ . '/support.php';

$server = server();
$server->http(address(), new Http\Script('/etc/adminer/conf.php'), new Http\Options(processes: 8));
$server->run();
