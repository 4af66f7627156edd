<?php

declare(strict_types=1);

// The front controller, for php-fpm and `php -S`.

use Illuminate\Http\Request;

define('LARAVEL_START', microtime(true));
require getenv('VENDOR') . '/autoload.php';

(require dirname(__DIR__) . '/bootstrap/app.php')->handleRequest(Request::capture());
