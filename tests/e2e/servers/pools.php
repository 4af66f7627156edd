<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Coroutine, Pool};
use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, server};

/** What the tests do with a pool of any driver. */
abstract class Driver
{
    public Pool $pool;
    /** Made and used before the workers are forked. */
    public mixed $bootId = null;

    abstract public function __construct();
    /** The number that the database's server gives this connection. */
    abstract public function id(object $db): int;
    abstract public function echo(object $db, string $text): string;
    abstract public function sleep(object $db, float $seconds): void;
    /** Begins a transaction, adds a row, and neither commits nor rolls back. */
    abstract public function forget(object $db): void;
    abstract public function rows(object $db): int;
}

abstract class PdoDriver extends Driver
{
    public function echo(object $db, string $text): string { $all = $db->prepare('SELECT ?'); $all->execute([$text]); return $all->fetchColumn(); }
    public function forget(object $db): void { $db->beginTransaction(); $db->exec('INSERT INTO pooled VALUES (1)'); }
    public function rows(object $db): int { return (int) $db->query('SELECT COUNT(*) FROM pooled')->fetchColumn(); }
}

final class MysqlDriver extends PdoDriver
{
    public function __construct()
    {
        $dsn = 'mysql:host=127.0.0.1;dbname=test;port=' . getenv('MARIADB_PORT');
        $this->pool = Pool::pdo($dsn, 'sluice', 'secret', max: 5);
        $this->pool->use(fn (PDO $db) => $db->exec('CREATE TABLE IF NOT EXISTS pooled (n INT) ENGINE=InnoDB'));
    }
    public function id(object $db): int { return (int) $db->query('SELECT CONNECTION_ID()')->fetchColumn(); }
    public function sleep(object $db, float $seconds): void { $db->query("SELECT SLEEP($seconds)")->fetchAll(); }
}

final class PgsqlDriver extends PdoDriver
{
    public function __construct()
    {
        $this->pool = Pool::pdo('pgsql:host=127.0.0.1;user=postgres;port=' . getenv('POSTGRESQL_PORT'), max: 5);
        $this->pool->use(fn (PDO $db) => $db->exec('CREATE TABLE IF NOT EXISTS pooled (n INT)'));
    }
    public function id(object $db): int { return (int) $db->query('SELECT pg_backend_pid()')->fetchColumn(); }
    public function sleep(object $db, float $seconds): void { $db->query("SELECT pg_sleep($seconds)")->fetchAll(); }
}

final class MysqliDriver extends Driver
{
    public function __construct()
    {
        $this->pool = Pool::mysqli('127.0.0.1', 'sluice', 'secret', 'test', (int) getenv('MARIADB_PORT'),
            prepare: fn (mysqli $db) => $db->set_charset('utf8mb4'), max: 5);
        $this->pool->use(fn (mysqli $db) => $db->query('CREATE TABLE IF NOT EXISTS pooled (n INT) ENGINE=InnoDB'));
    }
    public function id(object $db): int { return (int) $db->query('SELECT CONNECTION_ID()')->fetch_row()[0]; }
    public function echo(object $db, string $text): string { return $db->execute_query('SELECT ?', [$text])->fetch_row()[0]; }
    public function sleep(object $db, float $seconds): void { $db->query("SELECT SLEEP($seconds)")->fetch_all(); }
    public function forget(object $db): void { $db->begin_transaction(); $db->query('INSERT INTO pooled VALUES (1)'); }
    public function rows(object $db): int { return (int) $db->query('SELECT COUNT(*) FROM pooled')->fetch_row()[0]; }
}

final class RedisDriver extends Driver
{
    public function __construct()
    {
        $this->pool = Pool::redis('127.0.0.1', (int) getenv('REDIS_PORT'), database: 3, max: 5);
        $this->pool->use(fn (Redis $db) => $db->set('pooled', '0'));
    }
    public function id(object $db): int { return $db->rawCommand('CLIENT', 'ID'); }
    public function echo(object $db, string $text): string { return $db->echo($text); }
    public function sleep(object $db, float $seconds): void { $db->rawCommand('BLPOP', 'nothing', (string) $seconds); }
    public function forget(object $db): void { $db->select(5); $db->multi(); $db->incr('pooled'); }
    public function rows(object $db): int { return (int) $db->get('pooled'); }
}

final class SqliteDriver extends PdoDriver
{
    private int $next = 0;
    private WeakMap $ids;

    public function __construct()
    {
        $this->ids = new WeakMap();
        $this->pool = Pool::pdo('sqlite:' . getcwd() . '/pooled.sqlite', max: 5);
        $this->pool->use(fn (PDO $db) => $db->exec('CREATE TABLE IF NOT EXISTS pooled (n INT)'));
    }
    public function id(object $db): int { return $this->ids[$db] ??= ++$this->next; }
    public function sleep(object $db, float $seconds): void { Coroutine\sleep($seconds); }
    public function forget(object $db): void { $db->exec('BEGIN'); $db->exec('INSERT INTO pooled VALUES (1)'); }
}

$server = server();
$class = getenv('DRIVER');
$driver = new $class();
$driver->bootId = $driver->pool->use($driver->id(...));

$server->http(address(), function (Request $request, Response $response) use ($driver): void {
    $pool = $driver->pool;
    $seconds = (float) $request->query('seconds', '0.05');
    try {
        $answer = match ($request->path()) {
            '/id' => $pool->use($driver->id(...)),
            '/boot-id' => $driver->bootId,
            '/echo' => $pool->use(fn ($db) => $driver->echo($db, $request->query('text'))),
            '/slow' => $pool->use(function ($db) use ($driver, $seconds) { $driver->sleep($db, $seconds); return 'slept'; }),
            '/forget' => $pool->use($driver->forget(...)),
            '/rows' => $pool->use($driver->rows(...)),
            '/cut' => Coroutine\timeout($seconds, fn () => $pool->use(fn ($db) => $driver->sleep($db, 60))),
            '/at-once' => Coroutine\map(range(1, 100), function (int $n) use ($pool, $driver, $seconds) {
                static $inUse = [];
                return $pool->use(function (object $db) use ($n, $driver, &$inUse) {
                    $id = $driver->id($db);
                    $alone = !isset($inUse[$id]);
                    $inUse[$id] = true;
                    $text = $driver->echo($db, "row $n");
                    $driver->sleep($db, 0.001);
                    unset($inUse[$id]);
                    return [$alone, $id, $text];
                });
            }, 100),
            '/stats' => $pool->stats(),
        };
        $response->json(['pid' => getmypid(), 'answer' => $answer]);
    } catch (Throwable $e) {
        $response->status(503)->json(['pid' => getmypid(), 'error' => get_class($e), 'message' => $e->getMessage()]);
    }
});

$server->run();
