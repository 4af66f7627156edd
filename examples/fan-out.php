<?php

declare(strict_types=1);

// Five services are asked at once, for a page that shows the answers that arrive in time: make run SCRIPT=examples/fan-out.php
//   curl http://127.0.0.1:9515/

use Sluice\Coroutine;
use Sluice\Http\{Client, Request, Response};
use Sluice\Server;

$address = $argv[1] ?? '127.0.0.1:9515';
$services = $argv[2] ?? '127.0.0.1:9516';

$server = new Server();
// The client keeps connections open for the next requests. Any number of coroutines may use it at once.
$client = new Client();

$server->http($address, function (Request $request, Response $response) use ($client, $services): void {
    $begun = hrtime(true);
    $ask = fn(string $name): Closure => fn(): mixed => $client->get("http://$services/$name", timeout: 0.5)->json();
    // Each service has an outcome of its own: one that fails or is late does not affect the others.
    $outcomes = Coroutine\settle(
        weather: $ask('weather'),
        news: $ask('news'),
        prices: $ask('prices'),
        broken: $ask('broken'),
        late: $ask('late'),
    );
    $page = [];
    foreach ($outcomes as $name => $outcome) {
        $page[$name] = $outcome->succeeded() ? $outcome->value : ['unavailable' => $outcome->error === null ? '' : $outcome->error::class];
    }
    $response->json($page + ['milliseconds' => intdiv(hrtime(true) - $begun, 1_000_000)]);
});

// The services, which are usually elsewhere.
$server->http($services, function (Request $request, Response $response): void {
    $name = ltrim($request->path(), '/');
    Coroutine\sleep($name === 'late' ? 5 : 0.2);
    $name === 'broken' ? $response->status(500)->text("Internal error\n") : $response->json(['from' => $name]);
});

$server->run();
