<?php

declare(strict_types=1);

// What `php artisan sluice:start` becomes: an artisan that has booted an application of its own would be in the way of those that serve.

use Sluice\Laravel\ApplicationServer;

[, $folder, $options] = $argv;
require "$folder/vendor/autoload.php";
try {
    $server = ApplicationServer::of($folder, (array) json_decode($options, true, flags: JSON_THROW_ON_ERROR));
} catch (ValueError $error) {
    fwrite(STDERR, "{$error->getMessage()}\n");
    exit(1);
}
$server->run();
