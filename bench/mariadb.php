<?php

declare(strict_types=1);

// A page that asks a database: php mariadb.php <address> process|base <port of MariaDB>
// ADMIN in the environment: the admin listener's address.
// /pool over a pool of 50 connections, /fresh with one of its own, /slow over the pool with a query that takes 5 ms.

use Sluice\Http\{Request, Response};
use Sluice\{Mode, Pool, Server};

$mode = Mode::from($argv[2]);
$dsn = "mysql:host=127.0.0.1;port=$argv[3];dbname=test";
$pool = Pool::pdo($dsn, 'sluice', 'secret', max: 50);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);
if ($admin = getenv('ADMIN')) {
    $server->admin($admin);
}
$server->http($argv[1], function (Request $request, Response $response) use ($pool, $dsn): void {
    $response->json(match ($request->path()) {
        '/pool' => $pool->use(fn(PDO $db) => $db->query('SHOW TABLES')->fetchAll(PDO::FETCH_COLUMN)),
        '/slow' => $pool->use(fn(PDO $db) => $db->query('SELECT SLEEP(0.005)')->fetchAll(PDO::FETCH_COLUMN)),
        '/fresh' => (new PDO($dsn, 'sluice', 'secret'))->query('SHOW TABLES')->fetchAll(PDO::FETCH_COLUMN),
        '/' => [],
    });
});
$server->run();
