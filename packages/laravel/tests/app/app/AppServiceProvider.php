<?php

declare(strict_types=1);

namespace App;

use Illuminate\Support\Facades\{Event, Gate, View};
use Illuminate\Support\{ServiceProvider, Str};

final class AppServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(Counter::class);
        $this->app->scoped(Scoped::class);
    }

    public function boot(): void
    {
        // The counter is resolved while booting: each request finds it as it is now.
        $this->app->make(Counter::class)->count = 1;
        $app = $this->app;
        Str::macro('ofApplication', static fn() => \spl_object_id($app));
        Gate::define('be', fn(User $user, string $name) => $user->name === $name);
        View::share('shared', 'boot');
        Event::listen('asked', fn(string $name) => "$name heard");
    }
}
