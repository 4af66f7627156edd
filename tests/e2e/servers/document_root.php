<?php

declare(strict_types=1);

// A folder as nginx and php-fpm serve it.

namespace Sluice\EndToEnd;

use Sluice\Http\DocumentRoot;

require __DIR__ . '/support.php';

$server = server();
$server->http(address(), new DocumentRoot(getenv('FOLDER'), getenv('FRONT') ?: null, linksTo: array_filter(explode(':', getenv('LINKS_TO') ?: ''))));
$server->run();
