<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Broadcasting\BroadcastManager;
use Illuminate\Cache\{CacheManager, RateLimiter};
use Illuminate\Cache\Repository as Cache;
use Illuminate\Concurrency\ConcurrencyManager;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Routing\Middleware\ThrottleRequests;
use Illuminate\Session\{CacheBasedSessionHandler, SessionManager};
use Illuminate\Support\ServiceProvider;
use Sluice\Laravel\Broadcasting\{Credentials, SluiceBroadcaster};
use Sluice\Laravel\Cache\TableStore;
use Sluice\Laravel\Concurrency\CoroutineDriver;
use Sluice\Laravel\RateLimiting\{TableRateLimiter, Throttle};

/** Tells Laravel of the package: its configuration, commands and drivers. */
final class SluiceServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->mergeConfigFrom(\dirname(__DIR__) . '/config/sluice.php', 'sluice');
        $config = $this->app->make(Config::class);
        if ($config->get('cache.stores.sluice') === null) {
            $config->set('cache.stores.sluice', ['driver' => 'sluice']);
        }
        if ($config->get('broadcasting.connections.sluice') === null) {
            $config->set('broadcasting.connections.sluice', ['driver' => 'sluice']);
        }
        // Drivers are registered when their manager is made, so that no manager is made for them.
        $this->callAfterResolving('cache', static function (CacheManager $caches): void {
            $tableStore = self::tableStore(...);
            // Laravel binds the closure to the manager, so `self::` is not this class inside.
            $caches->extend('sluice', fn(Application $app, array $config): Cache => $caches->repository($tableStore($app, $config), $config));
        });
        $this->app->extend(RateLimiter::class, static fn(RateLimiter $limiter): RateLimiter => TableRateLimiter::of($limiter));
        $this->app->bind(ThrottleRequests::class, Throttle::class);
        $this->callAfterResolving('session', static function (SessionManager $sessions): void {
            $sessions->extend('sluice', static function (Application $app): CacheBasedSessionHandler {
                $config = $app->make(Config::class);
                $store = $config->get('session.store');
                $minutes = $config->get('session.lifetime');
                // A store of the session's own, which is not to share the cache's settings.
                $cache = clone $app->make(CacheManager::class)->store(\is_string($store) ? $store : 'sluice');
                return new CacheBasedSessionHandler($cache, \is_numeric($minutes) ? (int) $minutes : 120);
            });
        });
        $this->callAfterResolving(BroadcastManager::class, static function (BroadcastManager $manager, Application $app): void {
            $manager->extend('sluice', static fn(): SluiceBroadcaster => new SluiceBroadcaster(
                Credentials::of($app->make(Config::class)),
                $app->bound(Applications::class) ? $app->make(Applications::class) : null,
            ));
        });
        $this->callAfterResolving(ConcurrencyManager::class, static function (ConcurrencyManager $manager, Application $app): void {
            $manager->extend('sluice', fn(): CoroutineDriver => new CoroutineDriver($app->bound(Applications::class) ? $app->make(Applications::class) : null));
        });
    }

    public function boot(): void
    {
        $this->publishes([\dirname(__DIR__) . '/config/sluice.php' => $this->app->configPath('sluice.php')], 'sluice-config');
        $this->commands([Console\StartCommand::class, Console\ReloadCommand::class, Console\StopCommand::class, Console\StatusCommand::class]);
        if (\extension_loaded('sluice')) {
            // Workers share the tables that exist when the workers begin.
            $stores = $this->app->make(Config::class)->get('cache.stores');
            foreach (\is_array($stores) ? $stores : [] as $config) {
                if (\is_array($config) && ($config['driver'] ?? null) === 'sluice') {
                    self::tableStore($this->app, $config);
                }
            }
        }
    }

    /** @param array<mixed> $config */
    private static function tableStore(Application $app, array $config): TableStore
    {
        $prefix = $config['prefix'] ?? $app->make(Config::class)->get('cache.prefix');
        return TableStore::of($config, \is_string($prefix) ? $prefix : '');
    }
}
