<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Support\ServiceProvider;

/** Tells Laravel of the package: its configuration and its commands. */
final class SluiceServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->mergeConfigFrom(\dirname(__DIR__) . '/config/sluice.php', 'sluice');
    }

    public function boot(): void
    {
        $this->publishes([\dirname(__DIR__) . '/config/sluice.php' => $this->app->configPath('sluice.php')], 'sluice-config');
        $this->commands([Console\StartCommand::class, Console\ReloadCommand::class, Console\StopCommand::class, Console\StatusCommand::class]);
    }
}
