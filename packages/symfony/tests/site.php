<?php

declare(strict_types=1);

// Serves the application in the folder APP as its front controller would, with the settings that tests vary.

use App\Kernel;
use Sluice\CronClock;
use Sluice\Symfony\Runner;

require \getenv('APP') . '/autoload.php';
require __DIR__ . '/stand-ins/runtime.php';

// A minute of the clock that cron looks at takes a tenth of a second.
$clock = CronClock::ofScript();
$began = \microtime(true);
$clock->now = static fn(): float => $began + (\microtime(true) - $began) * 600;
$clock->speed = 600.0;

exit((new Runner(new Kernel((string) (\getenv('APP_ENV') ?: 'prod'), (bool) \getenv('APP_DEBUG')), [
    'workers' => (int) (\getenv('WORKERS') ?: 1), 'kernels' => (int) (\getenv('KERNELS') ?: 20),
]))->run());
