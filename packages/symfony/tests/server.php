<?php

declare(strict_types=1);

// What vendor/autoload_runtime.php does with a front controller, where symfony/runtime is not to be had.

use Sluice\{Listener, Mode, Server, TrustedProxies};
use Sluice\Symfony\Tests\App\Kernel;
use Sluice\Symfony\{Runtime, SymfonyHandler};

require \dirname(__DIR__, 3) . '/build/packages/vendor/autoload.php';
require __DIR__ . '/stand-ins/runtime.php';

// As Symfony's runtime does where it finds PHP's command line, and an error_log.
\ini_set('display_errors', '1');

if (\getenv('HANDLER') === false) {
    $front = require __DIR__ . '/app/public/index.php';
    \assert($front instanceof Closure);
    $application = $front();
    \assert($application instanceof Kernel);
    exit((new Runtime(['sluice' => ['workers' => (int) (\getenv('WORKERS') ?: 1), 'kernels' => 20]]))->getRunner($application)->run());
}
// A server made by hand, behind a proxy.
$server = new Server(Mode::Process, workers: 1, reactors: 1);
$server->http(new Listener((string) \getenv('SLUICE_ADDRESS'), proxies: new TrustedProxies(['127.0.0.1'])), new SymfonyHandler(fn() => new Kernel('prod', false), kernels: 1));
$server->run();
