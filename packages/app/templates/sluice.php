<?php

declare(strict_types=1);

// How `vendor/bin/sluice serve` serves this application. What is left out has its default; the environment counts more: SLUICE_ADDRESS and so on.

use Sluice\App\Config;

return new Config(
    address: '127.0.0.1:8080',
    // workers: 4,             // by default one per CPU
    // maxWorkers: 8,          // while all are busy and requests wait
    // maxRequests: 10_000,    // then a worker is replaced, without an interruption
    // kernels: 8,             // requests at a time in each worker, for Symfony and Laravel
    // warm: 8,                // how many of them are booted before the workers begin
    // application: fn () => require __DIR__ . '/handler.php',
    // extend: function (Sluice\Server $server, Sluice\Http\Site $site): void {},  // services, timers, routes, WebSockets
);
