<?php

declare(strict_types=1);

// For tests/e2e/observer/test_readiness.py: a check that does what a file says.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};

$server = server();
$server->admin(address(1), getenv('TOKEN'));
$server->readiness('database', function (): mixed {
    report('check', ['pid' => getmypid()]);
    $what = trim(file_get_contents(getenv('STATE')));
    return match ($what) {
        'ready' => null,
        'false' => false,
        'sentence' => "The database is \"away\" \u{e9}",
        'long' => str_repeat("\u{20ac}", 100),
        'throw' => throw new \RuntimeException('no route to the database'),
        'hang' => Coroutine\sleep(3600),
        'stubborn' => (function (): void {
            try {
                Coroutine\sleep(3600);
            } catch (Coroutine\CancelledError) {
                while (!str_starts_with(file_get_contents(getenv('STATE')), 'ready')) {
                    Coroutine\shield(fn () => Coroutine\sleep(0.05));
                }
            }
        })(),
        'spin' => (function (): void {
            report('spins');
            while (true) {
            }
        })(),
    };
}, timeout: 0.3, interval: 0.2);
$server->readiness('other', fn () => true, interval: 0.2);
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text('hello'));
$server->run();
