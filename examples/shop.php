<?php

declare(strict_types=1);

// A page that asks a database and a slow service at the same time, in plain, blocking PHP:
//   make run SCRIPT=examples/shop.php
// then, many times at once if you like: curl http://127.0.0.1:9502/
//
// SHOP_DSN, SHOP_USER and SHOP_PASSWORD name a database, such as 'mysql:host=127.0.0.1;dbname=shop'. Without them it is a file of
// SQLite.

use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Pool, Server};

$address = $argv[1] ?? '127.0.0.1:9502';
$service = $argv[2] ?? '127.0.0.1:9503';
$file = sys_get_temp_dir() . '/sluice-shop-' . getmypid() . '.sqlite';
$dsn = getenv('SHOP_DSN') ?: "sqlite:$file";

// Each worker makes connections of its own when it needs them.
$pool = Pool::pdo($dsn, getenv('SHOP_USER') ?: null, getenv('SHOP_PASSWORD') ?: null, max: 50);

/** @return array<mixed> */
function rows(PDO $db, string $sql): array
{
    $statement = $db->query($sql);
    return $statement === false ? [] : $statement->fetchAll(PDO::FETCH_ASSOC);
}

// Not by the pool: this process is the master, which only starts the workers.
(static function () use ($dsn): void {
    $db = new PDO($dsn, getenv('SHOP_USER') ?: null, getenv('SHOP_PASSWORD') ?: null);
    $db->exec('CREATE TABLE IF NOT EXISTS orders (item VARCHAR(50) PRIMARY KEY, euros INT)');
    if (rows($db, 'SELECT item FROM orders') === []) {
        $db->exec("INSERT INTO orders VALUES ('tea', 7), ('teapot', 35)");
    }
})();

$server = new Server(workers: 1);

$server->http($address, function (Request $request, Response $response) use ($pool, $service): void {
    // Both wait at once, and the worker serves other requests meanwhile.
    [$orders, $rates] = Coroutine\all(
        fn() => $pool->use(fn(PDO $db) => rows($db, 'SELECT * FROM orders ORDER BY item')),
        fn() => json_decode((string) file_get_contents("http://$service/slow")),
    );
    $response->json(compact('orders', 'rates'));
});

// In place of a slow service elsewhere.
$server->http($service, function (Request $request, Response $response): void {
    usleep(200_000);
    $response->json(['dollar' => 1.08, 'yen' => 163.2]);
});

$server->onWorkerStop(function () use ($file): void {
    if (is_file($file)) {
        unlink($file);
    }
});

$server->run();
