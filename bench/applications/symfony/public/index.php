<?php

declare(strict_types=1);

// The front controller, for php-fpm and `php -S`.

use App\Kernel;
use Symfony\Component\HttpFoundation\Request;

require getenv('VENDOR') . '/autoload.php';
require dirname(__DIR__) . '/Kernel.php';

$kernel = new Kernel('prod', false);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
