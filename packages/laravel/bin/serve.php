<?php

declare(strict_types=1);

// `php artisan sluice:start` becomes this script: the application that artisan has booted would be in the way of the applications that serve.

use Sluice\Laravel\ApplicationServer;
use Sluice\ServerException;

[, $folder, $options] = $argv;
require "$folder/vendor/autoload.php";
$fails = static function (string $sentence): never {
    fwrite(STDERR, "$sentence\n");
    exit(1);
};
try {
    $server = ApplicationServer::of($folder, (array) json_decode($options, true, flags: JSON_THROW_ON_ERROR));
} catch (ValueError $error) {
    $fails($error->getMessage());
} catch (Throwable $error) {
    $fails('The application does not boot: ' . $error::class . ": {$error->getMessage()} in {$error->getFile()}:{$error->getLine()}");
}
try {
    $server->run();
} catch (ValueError | ServerException $error) {
    // Laravel's handler would print it, and end with 0.
    $fails($error->getMessage());
}
