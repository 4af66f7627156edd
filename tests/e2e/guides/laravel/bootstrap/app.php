<?php

declare(strict_types=1);

// An application of a few routes, for the test of the glue.

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\{Exceptions, Middleware};
use Illuminate\Foundation\Http\Middleware\TrimStrings;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

require __DIR__ . '/stand_ins.php';

foreach (['bootstrap/cache', 'config', 'storage/framework/views', 'storage/logs'] as $folder) {
    is_dir(dirname(__DIR__) . "/$folder") || mkdir(dirname(__DIR__) . "/$folder", recursive: true);
}

return Application::configure(dirname(__DIR__))
    ->withRouting(using: function (): void {
        Route::get('/hello/{name}', fn (Request $request, string $name) => response($request->query('greeting', 'Hello') . " $name, " . $request->cookie('a', 'none'))
            ->header('X-Framework', 'laravel')->cookie('one', '1')->cookie('two', '2'));
        Route::get('/throws', fn () => throw new RuntimeException('secret'));
        Route::post('/upload', fn (Request $request) => response()->json(['title' => $request->input('title'), 'name' => $request->file('file')->getClientOriginalName(),
            'bytes' => strlen(file_get_contents($request->file('file')->getPathname()))]));
        Route::put('/json', fn (Request $request) => response()->json($request->json()->all()));
        Route::get('/file', fn () => response()->file(dirname(__DIR__) . '/file.txt'));
        Route::get('/stream', fn () => response()->stream(function (): void {
            for ($number = 0; $number < 5; ++$number) {
                echo "piece $number\n";
                usleep(1000);
            }
        }));
        Route::get('/waits', function () {
            usleep(50_000);
            return app('request')->query('name');
        });
    })
    ->withMiddleware(fn (Middleware $middleware) => $middleware->use([TrimStrings::class]))
    ->withExceptions(fn (Exceptions $exceptions) => $exceptions->dontReport(RuntimeException::class))
    ->create();
