<?php

declare(strict_types=1);

// Serves an application of bench/applications: php application.php <address> bare|psr15|symfony|laravel <folder> <requests at a time>
// The environment has VENDOR, the folder of Composer's autoloader.

use App\{Hello, Kernel};
use Sluice\Http\{Options, Request, Response};
use Sluice\Laravel\{Applications, LaravelHandler};
use Sluice\Psr\Psr15Handler;
use Sluice\Server;
use Sluice\Symfony\SymfonyHandler;

[, $address, $what, $folder, $together] = $argv;
$together = (int) $together;
require getenv('VENDOR') . '/autoload.php';

[$handler, $options] = match ($what) {
    'bare' => [fn(Request $request, Response $response) => $response->text('hello world'), null],
    'psr15' => (function () use ($folder, $together) {
        require "$folder/Hello.php";
        return [new Psr15Handler(new Hello()), $together === 1 ? new Options(concurrency: 1) : null];
    })(),
    'symfony' => (function () use ($folder, $together) {
        require "$folder/Kernel.php";
        return [new SymfonyHandler(new Kernel('prod', false), kernels: $together), null];
    })(),
    'laravel' => [new LaravelHandler(new Applications($folder, $together)), new Options(classic: true)],
};
if (getenv('RECORD') !== false) {
    // For preload.php.
    file_put_contents(getenv('RECORD'), implode("\n", array_diff(get_included_files(), [__FILE__])));
    exit;
}
$server = new Server(workers: 1, reactors: 1);
$server->http($address, $handler, $options);
$server->run();
