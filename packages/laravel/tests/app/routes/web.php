<?php

declare(strict_types=1);

use App\{Counter, Expected, Isolation, Said, Scoped, User, Write};
use Illuminate\Cache\RateLimiting\Limit;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\{Auth, Cache, Concurrency, DB, Hash, Http, RateLimiter, Route, Schema};

Route::get('/hello/{name}', fn(Request $request, string $name) => response($request->query('greeting', 'Hello') . " $name")->header('X-Framework', 'laravel')->cookie('one', '1')->cookie('two', '2'))
    ->withoutMiddleware('web');
Route::any('/whoami', fn(Request $request) => [$request->method(), $request->root(), $request->path(), $request->query(), $request->cookie('c'), $request->header('X-Mine'), $request->all()]);
Route::get('/visits', function (Request $request) {
    $request->session()->increment('visits');
    return ['visits' => session('visits'), 'id' => session()->getId()];
});
Route::get('/settings', fn() => [config('app.name'), app()->runningInConsole()])->withoutMiddleware('web');
Route::get('/throws', fn() => throw new RuntimeException('a secret'));
Route::get('/expected', fn() => throw new Expected('a secret'));
Route::get('/echoes', function () {
    echo 'echoed ';
    return 'returned';
});
Route::get('/echoes-in-fixed', function () {
    ob_start(null, 0, 0);
    echo 'fixed ';
    return 'returned';
});
Route::get('/streams-in-fixed', fn() => response()->stream(function (): void {
    echo 'before ';
    ob_start(null, 0, 0);
    echo 'fixed';
}));
Route::get('/dump', fn() => dd('dumped'));
Route::get('/exit', function () {
    echo 'exited';
    exit();
});
Route::post('/upload', function (Request $request) {
    $file = $request->file('file');
    $moved = $file->move(storage_path(), 'uploaded');
    return ['title' => $request->input('title'), 'name' => $file->getClientOriginalName(), 'bytes' => $moved->getSize()];
});
Route::post('/valid', fn(Request $request) => $request->validate(['name' => 'required|string', 'number' => 'required|integer|min:1']));
Route::get('/file', fn() => response()->file(base_path('file.txt')));
Route::get('/download', fn() => response()->download(base_path('file.txt'), 'report.txt'));
Route::get('/stream', fn() => response()->stream(function (): void {
    for ($number = 0; $number < 5; ++$number) {
        echo "piece $number\n";
        usleep(1000);
    }
}));
Route::get('/page/{name}', fn(string $name) => view('page', ['name' => $name]));
Route::get('/login/{name}', function (Request $request, string $name) {
    auth()->login(User::query()->where('name', $name)->firstOrFail());
    $request->session()->regenerate();
    return 'in';
});
Route::get('/logout', function () {
    auth()->logout();
    return 'out';
});
// What a browser sees: forms with tokens, errors in place, and pages for those who are logged in.
Route::view('/sign-in', 'sign-in')->name('login');
Route::post('/sign-in', function (Request $request) {
    if (!Auth::attempt($request->validate(['name' => 'required', 'password' => 'required']))) {
        return back()->withErrors(['name' => 'Nobody has this name and password.'])->onlyInput('name');
    }
    $request->session()->regenerate();
    return redirect()->intended('/notes');
});
Route::middleware('auth')->group(function (): void {
    Route::view('/notes', 'notes');
    Route::post('/notes', function (Request $request) {
        $request->validate(['text' => 'required|max:20', 'upload' => 'required|file']);
        $file = $request->file('upload');
        $request->session()->push('notes', "{$request->input('text')} ({$file->getClientOriginalName()} of {$file->getSize()})");
        return redirect('/notes')->with('status', 'The note is kept.');
    });
    Route::post('/sign-out', function (Request $request) {
        Auth::logout();
        $request->session()->invalidate();
        return redirect('/sign-in');
    });
});
Route::get('/me', fn() => auth()->user()?->name ?? 'guest');
Route::get('/counter', fn(Counter $counter) => [++$counter->count, app(Scoped::class)->name .= '+', Counter::$name .= '+']);
Route::get('/isolation/{me}', Isolation::class)->withoutMiddleware('web');
Route::get('/isolation-of-session/{me}', Isolation::class);
Route::get('/transaction/{name}', function (string $name) {
    DB::beginTransaction();
    User::query()->create(['name' => $name]);
    usleep(20_000);
    $own = User::query()->where('name', 'like', 'transaction%')->pluck('name')->all();
    DB::rollBack();
    return $own;
});
Route::get('/left-open', function () {
    DB::beginTransaction();
    User::query()->create(['name' => 'left open']);
    return 'left';
});
Route::get('/count/{name}', fn(string $name) => User::query()->where('name', $name)->count())->withoutMiddleware('web');
Route::get('/cache', function () {
    $cache = Cache::store('table');
    $cache->put('user', new User(['name' => 'anna']), 60);
    $cache->forever('null', null);
    $lock = $cache->lock('one', 10);
    return [
        $cache->get('user')->name, $cache->get('none', 'default'), $cache->add('once', 1, 60), $cache->add('once', 2, 60), $cache->increment('n'), $cache->increment('n', 4), $cache->decrement('n'),
        $cache->remember('made', 60, fn() => 'made'), $cache->pull('made'), $cache->has('made'), $cache->putMany(['a' => 1, 'b' => [2]], 60), $cache->many(['a', 'b', 'c']),
        $lock->get(), $cache->lock('one', 10)->get(), $lock->release(), $cache->lock('one', 10)->get(fn() => 'held'), $cache->put(str_repeat('long', 1000), 'long', 60), $cache->get(str_repeat('long', 1000)),
        $cache->tags(['t'])->put('tagged', 1, 60), $cache->tags(['t'])->get('tagged'), $cache->tags(['t'])->flush(), $cache->tags(['t'])->get('tagged'), $cache->forget('n'), $cache->get('n'),
        $cache->getStore()->touch('a', 60), $cache->getStore()->touch('none', 60),
    ];
});
Route::get('/shared/{name}', fn(string $name) => Cache::store('table')->increment($name));
Route::get('/limited', fn(Request $request) => RateLimiter::attempt($request->query('key', 'limited'), 3, function () use ($request) {
    usleep(20_000);
    return $request->query('throws') === null ? 'in' : throw new Expected('out of an attempt');
}, 60) ?: 'out')->withoutMiddleware('web');
Route::get('/remaining/{key}', fn(string $key) => (string) RateLimiter::remaining($key, 3))->withoutMiddleware('web');
RateLimiter::for('three', fn(Request $request) => Limit::perMinute(3)->by($request->route('key')));
Route::get('/throttled/{key}', fn() => 'in')->middleware('throttle:three')->withoutMiddleware('web');
RateLimiter::for('after', fn(Request $request) => [Limit::perMinute(10), Limit::perMinute(2)->by($request->route('what'))->after(fn($response) => $response->getStatusCode() === 404)]);
Route::get('/throttled-after/{what}', fn(string $what) => $what === 'there' ? 'there' : response('', 404))->middleware('throttle:after')->withoutMiddleware('web');
Route::get('/wait/{milliseconds}', function (int $milliseconds) {
    usleep($milliseconds * 1000);
    return "$milliseconds";
})->withoutMiddleware('web');
// Goes on when so many requests are here.
Route::get('/crowd/{me}/{of}', function (string $me, int $of) {
    $cache = Cache::store('table');
    $cache->increment('crowd');
    for ($i = 0; $cache->get('crowd') < $of && $i < 2000; ++$i) {
        usleep(5000);
    }
    return [$me, $cache->get('crowd') >= $of];
})->withoutMiddleware('web');
Route::get('/concurrency', function () {
    config(['app.name' => 'mine']);
    DB::beginTransaction();
    [$first, $second] = Concurrency::driver('sluice')->run([
        function () {
            DB::beginTransaction();
            // The first request ends when the second one lets it.
            for ($i = 0; $i < 10_000 && !Cache::store('table')->get('second'); ++$i) {
                usleep(1000);
            }
            return [config('app.name'), DB::transactionLevel(), spl_object_id(app())];
        },
        function () {
            Cache::store('table')->forever('second', true);
            return [config('app.name'), DB::transactionLevel(), spl_object_id(app())];
        },
    ]);
    $named = Concurrency::driver('sluice')->run(['first' => fn() => 1, 'second' => fn() => User::query()->count()]);
    return [array_slice($first, 0, 2), array_slice($second, 0, 2), $first[2] !== $second[2], $named, config('app.name'), DB::transactionLevel(), Cache::store('table')->get('second')];
});
Route::get('/concurrency-throws', fn() => Concurrency::driver('sluice')->run([fn() => throw new Expected('out of a task')]));
Route::get('/pool', function (Request $request) {
    $url = $request->root();
    $responses = Http::pool(fn($pool) => [$pool->as('a')->get("$url/wait/50"), $pool->as('b')->get("$url/wait/60"), $pool->as('c')->get("$url/nowhere")]);
    return [$responses['a']->body(), $responses['b']->body(), $responses['c']->status(), Http::get("$url/hello/me")->body()];
});
Route::get('/say/{kind}/{channel}/{text}', function (Request $request, string $kind, string $channel, string $text) {
    $pending = broadcast(new Said($kind, $channel, $text));
    $request->query('others') !== null && $pending->toOthers();
    unset($pending);
    return 'said';
});
Route::get('/migrate', function () {
    Schema::dropIfExists('users');
    Schema::create('users', function ($table): void {
        $table->id();
        $table->string('name');
        $table->string('password')->nullable();
        $table->rememberToken();
    });
    User::query()->create(['name' => 'anna', 'password' => Hash::make('secret of anna')]);
    return 'done';
})->withoutMiddleware('web');
Route::get('/dispatch/{name}', function (string $name) {
    Write::dispatch($name);
    return 'dispatched';
})->withoutMiddleware('web');
