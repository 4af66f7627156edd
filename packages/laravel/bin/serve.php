<?php

declare(strict_types=1);

// `php artisan sluice:start` becomes this script: the application that artisan has booted would be in the way of the applications that serve.

use Sluice\Laravel\ApplicationServer;

[, $folder, $options] = $argv;
require "$folder/vendor/autoload.php";
try {
    $server = ApplicationServer::of($folder, (array) json_decode($options, true, flags: JSON_THROW_ON_ERROR));
} catch (ValueError $error) {
    fwrite(STDERR, "{$error->getMessage()}\n");
    exit(1);
} catch (Throwable $error) {
    fwrite(STDERR, 'The application does not boot: ' . $error::class . ": {$error->getMessage()} in {$error->getFile()}:{$error->getLine()}\n");
    exit(1);
}
$server->run();
