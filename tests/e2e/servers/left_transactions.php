<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Coroutine, Tcp, Timer};
use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, report, server};

/** The connection that all handlers share, and how it begins a transaction, adds a row and counts rows. */
final class Shared
{
    public static mixed $db = null;

    private static function connect(): mixed
    {
        $port = getenv('DB_PORT');
        $odbc = fn (string $driver) => "DRIVER=$driver Unicode;SERVER=127.0.0.1;PORT=$port;" . match ($driver) {
            'MariaDB' => 'DATABASE=test;UID=sluice;PWD=secret',
            'PostgreSQL' => 'DATABASE=postgres;UID=postgres',
        };
        return match (getenv('DRIVER')) {
            'pdo_mysql' => new PDO("mysql:host=127.0.0.1;dbname=test;port=$port", 'sluice', 'secret'),
            'mysqli', 'mysqli_autocommit' => new mysqli('127.0.0.1', 'sluice', 'secret', 'test', (int) $port),
            'pdo_pgsql' => new PDO("pgsql:host=127.0.0.1;user=postgres;port=$port"),
            'pgsql' => pg_connect("host=127.0.0.1 user=postgres port=$port"),
            'pdo_sqlite' => new PDO('sqlite:' . getenv('DB_FILE')),
            'sqlite3' => new SQLite3(getenv('DB_FILE')),
            'odbc_mariadb' => odbc_connect($odbc('MariaDB'), '', ''),
            'odbc_postgresql' => odbc_connect($odbc('PostgreSQL'), '', ''),
            'pdo_odbc_mariadb' => new PDO('odbc:' . $odbc('MariaDB')),
            'pdo_odbc_postgresql' => new PDO('odbc:' . $odbc('PostgreSQL')),
        };
    }

    public static function query(mixed $db, string $sql): mixed
    {
        return match (true) {
            $db instanceof PDO => ($result = $db->query($sql)) && $result->columnCount() > 0 ? $result->fetchColumn() : null,
            $db instanceof mysqli => ($result = $db->query($sql)) instanceof mysqli_result ? $result->fetch_row()[0] : null,
            $db instanceof SQLite3 => $db->querySingle($sql),
            is_resource($db) => ($result = odbc_exec($db, $sql)) && odbc_num_fields($result) > 0 && odbc_fetch_row($result) ? odbc_result($result, 1) : null,
            default => ($result = pg_query($db, $sql)) && pg_num_fields($result) > 0 ? pg_fetch_result($result, 0) : null,
        };
    }

    public static function table(): void
    {
        self::query(self::connect(), 'DROP TABLE IF EXISTS left_rows');
        self::query(self::connect(), 'CREATE TABLE left_rows (who INT)');
    }

    public static function begin(): void
    {
        $db = self::$db ??= self::connect();
        match (getenv('DRIVER')) {
            'mysqli' => $db->begin_transaction(),
            'mysqli_autocommit' => $db->autocommit(false),
            'pgsql' => pg_query($db, 'BEGIN'),
            'sqlite3' => $db->exec('BEGIN'),
            'odbc_mariadb', 'odbc_postgresql' => odbc_autocommit($db, false),
            default => $db->beginTransaction(),
        };
        self::query($db, 'INSERT INTO left_rows VALUES (1)');
    }

    /** Ends the shared connection at its server. */
    public static function kill(): void
    {
        if (preg_match('/pgsql|postgresql/', getenv('DRIVER'))) {
            self::query(self::connect(), 'SELECT pg_terminate_backend(' . self::query(self::$db, 'SELECT pg_backend_pid()') . ')');
        } else {
            self::query(self::connect(), 'KILL ' . self::query(self::$db, 'SELECT CONNECTION_ID()'));
        }
    }

    /** What the next handler sees on the same connection, and everybody else on another one. */
    public static function rows(): array
    {
        return [(int) self::query(self::$db, 'SELECT COUNT(*) FROM left_rows'), (int) self::query(self::connect(), 'SELECT COUNT(*) FROM left_rows')];
    }
}

$server = server();
$server->onWorkerStart(Shared::table(...));
$server->http(address(), function (Request $request, Response $response): void {
    switch ($request->path()) {
        case '/leave':
            Shared::begin();
            break;
        case '/fails':
            Shared::begin();
            throw new Exception('the handler has failed');
        case '/timer':
            Timer::after(0, function (): void { Shared::begin(); report('begun'); });
            break;
        case '/task':
            Coroutine\spawn(function (): void { Shared::begin(); report('begun'); });
            break;
        case '/background':
            Shared::begin();
            Coroutine\spawn(function (): void {
                usleep(20_000);
                Shared::query(Shared::$db, 'INSERT INTO left_rows VALUES (2)');
                report('begun');
            });
            break;
        case '/unbuffered':
            $db = Shared::$db ??= new PDO('mysql:host=127.0.0.1;dbname=test;port=' . getenv('DB_PORT'), 'sluice', 'secret');
            $db->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
            $db->beginTransaction();
            $GLOBALS['result'] = $db->query('SELECT 1 UNION SELECT 2 UNION SELECT 3');
            $GLOBALS['result']->fetch();
            break;
        case '/close':
            $connect = fn () => pg_pconnect('host=127.0.0.1 user=postgres port=' . getenv('DB_PORT'));
            Shared::$db = $connect();
            try {
                Shared::begin();
            } finally {
                pg_close(Shared::$db);
                Shared::$db = $connect();
            }
            break;
        case '/lost':
            Shared::begin();
            Shared::kill();
            break;
        case '/free':
            unset($GLOBALS['result']);
            break;
        case '/rows':
            try {
                $response->json(['rows' => Shared::rows()]);
            } catch (Throwable $e) {
                $response->json(['error' => $e::class, 'message' => $e->getMessage()]);
            }
            return;
    }
    $response->text('ok');
});
$server->tcp(address(1), Tcp\Framing::line("\n"), function (Tcp\Connection $from, string $line): void {
    if ($line === 'leave') {
        Shared::begin();
        $from->send("left\n");
        return;
    }
    $from->send(json_encode(Shared::rows()) . "\n");
});
$server->run();
