<?php
// Answers each request with the tables of a database, by the client of Swoole 5. The database stands in DB_HOST, DB_PORT, DB_USER,
// DB_PASSWORD and DB_NAME.

use Swoole\Coroutine\MySQL;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) ($argv[1] ?? 9503), SWOOLE_BASE);
$server->set(['worker_num' => 1]);
$server->on('request', function (Request $request, Response $response) {
    $db = new MySQL();
    $connected = $db->connect([
        'host' => getenv('DB_HOST') ?: '127.0.0.1',
        'port' => (int) (getenv('DB_PORT') ?: 3306),
        'user' => getenv('DB_USER') ?: 'root',
        'password' => getenv('DB_PASSWORD') ?: '',
        'database' => getenv('DB_NAME') ?: 'test',
    ]);
    $tables = $connected ? $db->query('show tables', 2) : false;
    if ($tables === false) {
        $response->status(500);
        $response->end("$db->connect_error$db->error\n");
        return;
    }
    $response->header('Content-Type', 'application/json');
    $response->end(json_encode($tables));
    $db->close();
});
$server->start();
