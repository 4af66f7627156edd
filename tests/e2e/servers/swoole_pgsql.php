<?php

// Asks PostgreSQL through the client of Swoole 5, and prints what it has got.

use Swoole\Coroutine\PostgreSQL;

$connect = function (string $to) use ($argv): PostgreSQL {
    $db = new PostgreSQL();
    $db->connect($to) || exit("no connection: $db->error\n");
    return $db;
};
$said = [];
Co\run(function () use ($argv, $connect, &$said): void {
    $db = $connect($argv[1]);
    $query = "SELECT 7::int i, 1.5::float8 f, true b, 'text'::text t, NULL::int n";
    $said['row'] = $db->query($query)->fetchAssoc();
    $said['num'] = $db->query($query)->fetchRow();
    $statement = $db->prepare('SELECT $1::int + $2::int AS sum');
    $statement->execute([2, 3]);
    $said['prepared'] = $statement->fetchAll();
    $statement->execute([4, 5]);
    $said['again'] = $statement->fetchAll();
    $said['both'] = $db->query('SELECT 3 AS n')->fetchArray();
    $said['error'] = $db->query('SELECT * FROM nowhere') === false ? $db->resultDiag['sqlstate'] : 'none';
    $said['literal'] = $db->escapeLiteral("it's");
    $db->query('CREATE TEMPORARY TABLE t (id int)');
    $said['inserted'] = $db->query('INSERT INTO t VALUES (1), (2)')->affectedRows();
});
Co\run(function () use ($argv, $connect, &$said): void {
    $said['order'] = [];
    $holder = $connect($argv[1]);
    $holder->query('SELECT pg_advisory_lock(1)');
    go(function () use ($argv, $connect, &$said): void {
        $connect($argv[1])->query('SELECT pg_advisory_lock(1)');
        $said['order'][] = 'slow';
    });
    go(function () use ($argv, $connect, $holder, &$said): void {
        $connect($argv[1])->query('SELECT 1');
        $said['order'][] = 'quick';
        $holder->query('SELECT pg_advisory_unlock(1)');
    });
});
$said['refused'] = (new PostgreSQL())->connect('host=127.0.0.1 port=1 dbname=x');
echo json_encode($said);
