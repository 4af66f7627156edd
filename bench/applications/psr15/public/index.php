<?php

declare(strict_types=1);

// What a front controller does for php-fpm and `php -S`.

use App\Hello;
use Nyholm\Psr7\ServerRequest;

require getenv('VENDOR') . '/autoload.php';
require dirname(__DIR__) . '/Hello.php';

$answer = (new Hello())->handle(new ServerRequest($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']));
http_response_code($answer->getStatusCode());
foreach ($answer->getHeaders() as $name => $values) {
    foreach ($values as $value) {
        header("$name: $value", false);
    }
}
echo $answer->getBody();
