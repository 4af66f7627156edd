<?php

declare(strict_types=1);

// For tests/e2e/observer/test_application_metrics.py: metrics of the application's own. LABELS names a file with the labels of a counter.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\Metrics\{Counter, Gauge, Histogram};

$orders = new Counter('shop_orders_total', "Orders.\nWith a \\ and \"quotes\".", labels: ['country', 'kind']);
$orders->labels('DE', 'book');
$plain = new Counter('shop_plain', 'Plain.');
$open = new Gauge('shop_open_carts', 'Open carts.');
$seconds = new Histogram('shop_query_seconds', 'Queries.', [0.5, 1, 2.5], ['table']);
$few = new Counter('shop_few', 'Few.', ['id'], maxSeries: 10);
$pool = new \Sluice\Pool(fn () => new \stdClass(), name: 'things');
$labels = json_decode(file_get_contents(getenv('LABELS')));
$changed = $labels === null ? null : new Counter('shop_changed', 'Changed.', $labels);

$server = server();
$server->admin(address(1), getenv('TOKEN'));
$server->onWorkerStart(function (): void {
    (new Counter('shop_starts', 'Starts of workers, as declared in each.'))->inc();
});
$tasks = $server->tasks(fn () => ['double' => fn (int $n) => 2 * $n, 'fail' => fn () => throw new \Error('as the test wants it')], workers: 1, name: 'mail');
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text('hello'));
$site->get('/order', function (Request $request, Response $response) use ($orders, $plain): void {
    $orders->labels(kind: $request->query('kind', 'book'), country: $request->query('country', 'DE'))->inc();
    $plain->inc();
    $response->json(getmypid());
});
$site->get('/gauge', function (Request $request, Response $response) use ($open): void {
    match ($request->query('do')) {
        'set' => $open->set((float) $request->query('by')),
        'inc' => $open->inc(),
        'dec' => $open->dec(),
    };
    $response->json($open->value());
});
$site->get('/observe', function (Request $request, Response $response) use ($seconds): void {
    $seconds->labels($request->query('table'))->observe((float) $request->query('seconds'));
    $response->text('done');
});
$site->get('/few', function (Request $request, Response $response) use ($few): void {
    $few->labels($request->query('id'))->inc();
    $response->text('done');
});
$site->get('/changed', function (Request $request, Response $response) use ($changed, $labels): void {
    $changed->labels(...array_map(fn () => 'x', $labels))->inc();
    $response->text('done');
});
$site->get('/task', function (Request $request, Response $response) use ($tasks): void {
    try {
        $response->json($tasks->run($request->query('name'), 21));
    } catch (\Sluice\TaskFailedException) {
        $response->json('failed');
    }
});
$site->get('/slow', function (Request $request, Response $response): void {
    \Sluice\Coroutine\sleep(0.03);
    $response->text('slow');
});
$site->get('/garbage', function (Request $request, Response $response): void {
    for ($i = 0; $i < 100; ++$i) {
        $a = new \stdClass();
        $a->self = $a;
    }
    unset($a);
    $response->json(gc_collect_cycles());
});
$server->run();
