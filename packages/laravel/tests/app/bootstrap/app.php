<?php

declare(strict_types=1);

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\{Exceptions, Middleware};

require_once __DIR__ . '/autoload.php';

return Application::configure(dirname(__DIR__))
    ->withProviders([App\AppServiceProvider::class], withBootstrapProviders: false)
    ->withRouting(web: __DIR__ . '/../routes/web.php', commands: __DIR__ . '/../routes/console.php')
    ->withBroadcasting(__DIR__ . '/../routes/channels.php')
    ->withMiddleware(fn(Middleware $middleware) => $middleware->validateCsrfTokens(except: ['upload', 'valid', 'whoami', 'broadcasting/*']))
    ->withExceptions(fn(Exceptions $exceptions) => $exceptions->dontReport(App\Expected::class))
    ->create();
