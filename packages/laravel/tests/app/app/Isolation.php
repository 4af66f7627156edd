<?php

declare(strict_types=1);

namespace App;

use Carbon\Carbon;
use Illuminate\Http\Request;
use Illuminate\Pagination\Paginator;
use Illuminate\Support\Facades\{App, Auth, Cache, Config, Cookie, DB, Event, Gate, Lang, View};
use Illuminate\Support\{Number, Str};

/** A request that sets all that it can, waits, and looks whether its settings are unchanged. */
final class Isolation
{
    /** @return array<string, mixed> what is not as it should be: [as it is, as it should be] */
    public function __invoke(Request $request, string $me, Counter $counter, Scoped $scoped): array
    {
        $before = $this->state();
        $locale = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'ja'][\crc32($me) % 10];
        $zone = \DateTimeZone::listIdentifiers()[\crc32($me) % 400];
        $user = new User(['id' => \crc32($me), 'name' => $me]);

        Auth::setUser($user);
        $request->hasSession() && $request->session()->put('me', $me);
        App::setLocale($locale);
        Config::set('app.name', $me);
        Config::set("own.$me", true);
        \date_default_timezone_set($zone);
        Carbon::setTestNow(Carbon::create(2000 + \crc32($me) % 50, 1, 1));
        Number::useLocale($locale);
        View::share('shared', $me);
        Event::listen('asked', fn(string $name) => "$name by $me");
        Gate::define("only-$me", fn() => true);
        Str::macro('me', static fn() => $me);
        Paginator::currentPathResolver(fn() => "/$me");
        App::instance('me', $user);
        App::bind('made', fn() => $me);
        Cookie::queue('me', $me);
        Cache::store('array')->put('me', $me);
        $counter->count += \crc32($me) % 100;
        $scoped->name = $me;
        Counter::$name = $me;
        $transaction = $request->query('database') !== null;
        if ($transaction) {
            DB::beginTransaction();
            DB::connection()->enableQueryLog();
            DB::select('select ?', [$me]);
            // SQLite lets one connection write at a time.
            $writes = DB::getDriverName() !== 'sqlite';
            $writes && DB::table('users')->insert(['name' => $me]);
        }
        User::$lastSaved = $me;
        $expected = $this->state();

        for ($i = 0; $i < 5; ++$i) {
            \usleep($request->integer('microseconds', 10_000));
            $wrong = [];
            foreach ($this->state() as $what => $value) {
                if ($value !== $expected[$what]) {
                    $wrong[$what] = [$value, $expected[$what]];
                }
            }
            if ($wrong !== []) {
                return $wrong;
            }
        }
        $mine = [
            'user' => Auth::user()?->name, 'name' => config('app.name'), 'locale' => App::getLocale(), 'zone' => \date_default_timezone_get(), 'view' => View::shared('shared'),
            'macro' => Str::me(), 'path' => Paginator::resolveCurrentPath(), 'bound' => app('me')->name, 'made' => app('made'), 'scoped' => app(Scoped::class)->name, 'static' => Counter::$name,
            'request' => \request()->route('me'), 'cookie' => Cookie::queued('me')->getValue(), 'array' => Cache::store('array')->get('me'), 'saved' => User::$lastSaved,
            'session' => $request->hasSession() ? session('me') : $me,
        ];
        $wanted = \array_fill_keys(\array_keys($mine), $me);
        $wanted['locale'] = $locale;
        $wanted['zone'] = $zone;
        $wanted['path'] = "/$me";
        foreach ($mine as $what => $value) {
            if ($value !== $wanted[$what]) {
                $wrong[$what] = [$value, $wanted[$what]];
            }
        }
        if ($transaction) {
            $log = \array_unique(\array_merge(...\array_column(DB::getQueryLog(), 'bindings')));
            $rows = $writes ? DB::table('users')->where('name', '!=', 'anna')->pluck('name')->all() : [$me];
            $wrong += DB::transactionLevel() === 1 && $log === [$me] && $rows === [$me] ? [] : ['transaction' => [DB::transactionLevel(), $log, $rows, $me]];
            \crc32($me) % 2 ? DB::rollBack() : null;
        }
        // Each request begins with what the boot has left, whatever other requests have done.
        foreach (['user' => null, 'name' => 'Laravel', 'locale' => 'en', 'own' => 0, 'view' => 'boot', 'count' => 1, 'static' => 'nobody', 'scoped' => 'nobody', 'listeners' => 1, 'zone' => 'UTC',
            'macro' => false, 'bound' => false, 'cookies' => 0, 'test now' => false, 'saved' => null, 'array' => null, 'level' => 0, 'carbon' => 'en'] as $what => $value) {
            if ($before[$what] !== $value) {
                $wrong["$what before"] = [$before[$what], $value];
            }
        }
        return $wrong;
    }

    /** @return array<string, mixed> */
    private function state(): array
    {
        return [
            'application' => [Str::ofApplication(), \spl_object_id(\app()), \spl_object_id(App::getFacadeRoot())],
            'request' => \request()->path(),
            'url' => \url()->current(),
            'user' => Auth::user()?->name,
            'name' => config('app.name'),
            'own' => \count(config('own', [])),
            'locale' => App::getLocale(),
            'text' => Lang::getLocale(),
            'carbon' => Carbon::getLocale(),
            'test now' => Carbon::hasTestNow() ? Carbon::now()->year : false,
            'number' => Number::defaultLocale(),
            'zone' => \date_default_timezone_get(),
            'view' => View::shared('shared'),
            'listeners' => \count(Event::getRawListeners()['asked'] ?? []),
            'heard' => Event::dispatch('asked', ['x']),
            'gate' => \count(Gate::abilities()),
            'macro' => Str::hasMacro('me'),
            'path' => Paginator::resolveCurrentPath(),
            'bound' => app()->bound('me'),
            'count' => app(Counter::class)->count,
            'scoped' => app(Scoped::class)->name,
            'static' => Counter::$name,
            'saved' => User::$lastSaved,
            'cookies' => \count(Cookie::getQueuedCookies()),
            'array' => Cache::store('array')->get('me'),
            'level' => DB::transactionLevel(),
        ];
    }
}
