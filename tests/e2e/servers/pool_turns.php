<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Pool, WebSocket};

use function Sluice\EndToEnd\{address, report, server};

// A pool with one item, for which handlers wait.

$pool = new Pool(fn() => new stdClass(), max: 1, waitLimit: 60.0);
$use = function (string $name, ?string $until = null) use ($pool): void {
    $pool->use(function () use ($name, $until): void {
        report('uses', ['name' => $name]);
        while ($until !== null && !file_exists($until)) {
            Coroutine\sleep(0.002);
            clearstatcache();
        }
    });
};
$server = server();
$site = $server->http(address(), function (Request $request, Response $response) use ($use): void {
    $use($request->query('name'), $request->query('until'));
    $response->text('used');
});
$site->get('/waiting', fn(Request $request, Response $response) => $response->json($pool->stats()->waiting));
$site->get('/spawned', function (Request $request, Response $response) use ($use): void {
    $tasks = array_map(
        fn(int $number) => Coroutine\spawn(fn() => Coroutine\spawn(fn() => $use("{$request->query('name')}-$number"))->await()),
        range(1, 5),
    );
    foreach ($tasks as $task) {
        $task->await();
    }
    $response->text('used');
});
$site->get('/later', function (Request $request, Response $response) use ($use): void {
    $name = $request->query('name');
    Sluice\Timer::after(0.001, fn() => $use($name));
    $response->text('later');
});
$site->webSocket('/ws', fn(WebSocket\Connection $who, string $name) => $use($name));
$server->run();
