<?php

declare(strict_types=1);

// A JSON API over a database: make run SCRIPT=examples/json-api.php
//   curl -d '{"text":"buy tea"}' http://127.0.0.1:9510/notes      then GET /notes, GET and DELETE /notes/1
//
// NOTES_DSN, NOTES_USER and NOTES_PASSWORD name a database, such as 'pgsql:host=127.0.0.1;dbname=notes'. Without them the notes are in
// a file of SQLite. The table is made if it does not exist.

use Sluice\Http\{BadRequest, Request, Response};
use Sluice\{Pool, Server};

$address = $argv[1] ?? '127.0.0.1:9510';
$file = getenv('NOTES_FILE') ?: sys_get_temp_dir() . '/sluice-notes.sqlite';
$dsn = getenv('NOTES_DSN') ?: "sqlite:$file";

// Each worker has a pool of its own, and makes a connection when a request needs one.
$pool = Pool::pdo($dsn, getenv('NOTES_USER') ?: null, getenv('NOTES_PASSWORD') ?: null, prepare: function (PDO $db) use ($dsn): void {
    if (str_starts_with($dsn, 'sqlite:')) {
        $db->exec('PRAGMA journal_mode = WAL');
        $db->exec('PRAGMA busy_timeout = 5000');
    }
}, max: 20);

/**
 * @param array<string, int|string> $parameters
 * @return array<mixed>
 */
function ask(PDO $db, string $sql, array $parameters = []): array
{
    $statement = $db->prepare($sql);
    $statement->execute($parameters);
    return $statement->columnCount() > 0 ? $statement->fetchAll(PDO::FETCH_ASSOC) : [];
}

function textOf(Request $request): string
{
    $note = $request->json();  // malformed JSON is answered with 400
    $text = is_array($note) ? $note['text'] ?? null : null;
    return is_string($text) && $text !== '' ? $text : throw new BadRequest('A note is an object with a "text"');
}

function idOf(Request $request): int
{
    $id = $request->parameter('id');
    return preg_match('/^\d{1,9}$/', $id) === 1 ? (int) $id : throw new BadRequest('The id of a note is a number of up to nine digits');
}

$server = new Server();

$server->onWorkerStart(fn() => $pool->use(fn(PDO $db) => $db->exec(
    str_starts_with($dsn, 'pgsql:')
        ? 'CREATE TABLE IF NOT EXISTS notes (id SERIAL PRIMARY KEY, text TEXT NOT NULL)'
        : (str_starts_with($dsn, 'mysql:')
            ? 'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY AUTO_INCREMENT, text TEXT NOT NULL)'
            : 'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'),
)));

// A path without a route is answered with 404, and another method of a path with 405 and an Allow field.
$site = $server->http($address);

$site->get('/notes', function (Request $request, Response $response) use ($pool): void {
    $response->json($pool->use(fn(PDO $db) => ask($db, 'SELECT id, text FROM notes ORDER BY id')));
});
$site->post('/notes', function (Request $request, Response $response) use ($pool): void {
    $text = textOf($request);
    $made = $pool->use(function (PDO $db) use ($text): int {
        ask($db, 'INSERT INTO notes (text) VALUES (:text)', ['text' => $text]);
        return (int) $db->lastInsertId();
    });
    $response->status(201)->header('Location', "/notes/$made")->json(['id' => $made, 'text' => $text]);
});
$site->get('/notes/{id}', function (Request $request, Response $response) use ($pool): void {
    $notes = $pool->use(fn(PDO $db) => ask($db, 'SELECT id, text FROM notes WHERE id = :id', ['id' => idOf($request)]));
    $notes === [] ? $response->status(404)->json(['error' => 'There is no such note']) : $response->json($notes[0]);
});
$site->delete('/notes/{id}', function (Request $request, Response $response) use ($pool): void {
    $pool->use(fn(PDO $db) => ask($db, 'DELETE FROM notes WHERE id = :id', ['id' => idOf($request)]));
    $response->status(204)->end();
});

$server->run();
