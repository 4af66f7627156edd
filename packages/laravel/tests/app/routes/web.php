<?php

declare(strict_types=1);

use App\{Counter, Expected, Isolation, Scoped, User};
use Illuminate\Http\Request;
use Illuminate\Support\Facades\{DB, Route};

Route::get('/hello/{name}', fn(Request $request, string $name) => response($request->query('greeting', 'Hello') . " $name")->header('X-Framework', 'laravel')->cookie('one', '1')->cookie('two', '2'))
    ->withoutMiddleware('web');
Route::any('/whoami', fn(Request $request) => [$request->method(), $request->root(), $request->path(), $request->query(), $request->cookie('c'), $request->header('X-Mine'), $request->all()]);
Route::get('/visits', function (Request $request) {
    $request->session()->increment('visits');
    return ['visits' => session('visits'), 'id' => session()->getId()];
});
Route::get('/throws', fn() => throw new RuntimeException('a secret'));
Route::get('/expected', fn() => throw new Expected('a secret'));
Route::get('/echoes', function () {
    echo 'echoed ';
    return 'returned';
});
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
Route::get('/count/{name}', fn(string $name) => User::query()->where('name', $name)->count());
