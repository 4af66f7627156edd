<?php

declare(strict_types=1);

// Serves the application in the folder APP as its front controller would, with the settings that tests vary.

use App\Kernel;
use Sluice\Symfony\Runner;

require \getenv('APP') . '/autoload.php';

require __DIR__ . '/stand-ins/runtime.php';

exit((new Runner(new Kernel((string) (\getenv('APP_ENV') ?: 'prod'), (bool) \getenv('APP_DEBUG')), [
    'workers' => (int) (\getenv('WORKERS') ?: 1), 'kernels' => (int) (\getenv('KERNELS') ?: 20),
]))->run());
