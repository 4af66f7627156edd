<?php

declare(strict_types=1);

// The application's front controller in a PHP without the extension, under the server that PHP has for development, as php-fpm would run it.

use Sluice\Symfony\Tests\App\Kernel;
use Symfony\Component\HttpFoundation\Request;

require \dirname(__DIR__, 3) . '/build/packages/vendor/autoload.php';
require __DIR__ . '/stand-ins/runtime.php';

if (\extension_loaded('sluice')) {
    throw new LogicException('The extension is there');
}
$front = require __DIR__ . '/app/public/index.php';
\assert($front instanceof Closure);
$kernel = $front();
\assert($kernel instanceof Kernel);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
