<?php

declare(strict_types=1);

// Pages that ask PostgreSQL over a pool of 50 connections: php postgresql.php <address> process|base <port of PostgreSQL>
// /rows is a query as JSON. /items reads one item after the other, from the database unless the worker has it; each twentieth request changes one.

use Sluice\Http\{Request, Response};
use Sluice\{Mode, Pool, Server};

$mode = Mode::from($argv[2]);
$pool = Pool::pdo("pgsql:host=127.0.0.1;port=$argv[3];dbname=postgres", 'postgres', max: 50);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);

/** Statements are prepared once for each connection. */
$prepared = new WeakMap();
$ask = static function (string $sql, array $values) use ($pool, $prepared): array {
    return $pool->use(static function (PDO $db) use ($sql, $values, $prepared): array {
        $ofConnection = $prepared[$db] ??= new ArrayObject();
        $statement = $ofConnection[$sql] ??= $db->prepare($sql);
        $statement->execute($values);
        return $statement->fetchAll(PDO::FETCH_ASSOC);
    });
};

$server->http($argv[1], static function (Request $request, Response $response) use ($ask): void {
    static $items = [];
    static $asked = 0;
    switch ($request->path()) {
        case '/rows':
            $response->json($ask('SELECT id, name, price FROM item WHERE id BETWEEN ? AND ?', [10, 30]));
            break;
        case '/items':
            $id = ++$asked * 7919 % 500 + 1;
            if ($asked % 20 === 0) {
                unset($items[$id]);
                $ask('UPDATE item SET price = ? WHERE id = ?', [$asked % 1000, $id]);
                $response->json(['id' => $id]);
            } else {
                $response->json($items[$id] ??= $ask('SELECT id, name, price FROM item WHERE id = ?', [$id])[0]);
            }
            break;
        default:
            $response->json([]);
    }
});
$server->run();
