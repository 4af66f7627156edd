<?php

declare(strict_types=1);

// The same thousand rows in each kind of server, read by each driver: for drivers.php, and for the blocking run that it is
// compared with. The connection's place is in the environment (databases.py).

namespace Sluice\EndToEnd;

use Sluice\Pool;

const ROWS = 1000;

/** What row $n holds: numbers of both signs, nothing, text that is no ASCII, and bytes, some of them many. */
function row(int $n): array
{
    return [
        'id' => (string) $n,
        'number' => (string) (($n * 7919) % 100_003 - 50_000),
        'nothing' => $n % 3 === 0 ? null : "not $n",
        'text' => "Zeile $n: äöü ✓ 'quoted' \\ \"and more\"",
        'bytes' => str_repeat(md5((string) $n), $n % 100 === 0 ? 20_000 : $n % 50),
    ];
}

/** The row as JSON can show it. */
function shown(array $row): array
{
    $row['bytes'] = strlen($row['bytes']) . ':' . md5($row['bytes']);
    return $row;
}

abstract class RowDriver
{
    public Pool $pool;

    public function __construct()
    {
        $this->open();
    }

    public static function chosen(): self
    {
        $class = __NAMESPACE__ . '\\' . getenv('DRIVER');
        return new $class();
    }

    /** Makes a new pool. */
    abstract public function open(): void;
    /** Puts the rows into the server. */
    abstract public function fill(object $db): void;
    abstract public function read(object $db, int $n): array;

    // For drivers that have transactions: adds a row that only this connection is to see, and reads what it sees.
    public function begin(object $db, int $n): void {}
    public function seen(object $db): int { return 0; }
    public function end(object $db, bool $commit): void {}
}

abstract class SqlDriver extends RowDriver
{
    /** @return array<int, mixed> */
    abstract public function ask(object $db, string $sql, array $values = []): array;
    abstract protected function bytesType(): string;
    abstract protected function marks(int $count): array;
    protected function tableOptions(): string { return ''; }

    public function fill(object $db): void
    {
        $this->ask($db, 'DROP TABLE IF EXISTS many');
        $this->ask($db, "CREATE TABLE many (id INT PRIMARY KEY, number INT, nothing VARCHAR(50), text VARCHAR(200), bytes {$this->bytesType()}){$this->tableOptions()}");
        $this->ask($db, 'DROP TABLE IF EXISTS alone');
        $this->ask($db, 'CREATE TABLE alone (n INT)' . $this->tableOptions());
        $this->ask($db, 'BEGIN');
        $marks = implode(', ', $this->marks(5));
        for ($n = 1; $n <= ROWS; $n++) {
            $this->ask($db, "INSERT INTO many VALUES ($marks)", array_values(row($n)));
        }
        $this->ask($db, 'COMMIT');
    }

    public function read(object $db, int $n): array
    {
        $rows = $this->ask($db, "SELECT * FROM many WHERE id = {$this->marks(1)[0]}", [$n]);
        // Several rows are read at once, by a statement without values.
        $around = $this->ask($db, "SELECT id, number, text FROM many WHERE id BETWEEN $n AND $n + 4 ORDER BY id");
        return [array_map(strval(...), array_keys($rows[0])), shown(array_map(fn ($value) => $value === null ? null : (string) $value, $rows[0])),
            array_map(fn (array $row) => array_map(strval(...), $row), $around)];
    }

    public function begin(object $db, int $n): void
    {
        $this->ask($db, 'BEGIN');
        $this->ask($db, "INSERT INTO alone VALUES ($n)");
    }

    public function seen(object $db): int
    {
        return (int) array_values($this->ask($db, 'SELECT COUNT(*) FROM alone')[0])[0];
    }

    public function end(object $db, bool $commit): void
    {
        $this->ask($db, $commit ? 'COMMIT' : 'ROLLBACK');
    }
}

abstract class PdoRows extends SqlDriver
{
    public function ask(object $db, string $sql, array $values = []): array
    {
        if ($values === []) {
            $statement = $db->query($sql);
        } else {
            $statement = $db->prepare($sql);
            foreach ($values as $place => $value) {
                $type = $place === 4 ? \PDO::PARAM_LOB : ($value === null ? \PDO::PARAM_NULL : \PDO::PARAM_STR);
                $statement->bindValue($place + 1, $value, $type);
            }
            $statement->execute();
        }
        $rows = $statement->columnCount() > 0 ? $statement->fetchAll(\PDO::FETCH_ASSOC) : [];
        foreach ($rows as &$row) {
            if (isset($row['bytes']) && is_resource($row['bytes'])) {
                $row['bytes'] = stream_get_contents($row['bytes']);
            }
        }
        return $rows;
    }

    protected function marks(int $count): array { return array_fill(0, $count, '?'); }
}

final class PdoMysqlRows extends PdoRows
{
    public function open(): void
    {
        $this->pool = Pool::pdo('mysql:host=127.0.0.1;charset=utf8mb4;dbname=test;port=' . getenv('MARIADB_PORT'), 'sluice', 'secret',
            [\PDO::ATTR_EMULATE_PREPARES => false], max: 20, waitLimit: 60.0);
    }
    protected function bytesType(): string { return 'LONGBLOB'; }
    protected function tableOptions(): string { return ' ENGINE=InnoDB CHARACTER SET utf8mb4'; }
}

final class PdoPgsqlRows extends PdoRows
{
    public function open(): void
    {
        $this->pool = Pool::pdo('pgsql:host=127.0.0.1;user=postgres;port=' . getenv('POSTGRESQL_PORT'), max: 20, waitLimit: 60.0);
    }
    protected function bytesType(): string { return 'BYTEA'; }
}

final class MysqliRows extends SqlDriver
{
    public function open(): void
    {
        $this->pool = Pool::mysqli('127.0.0.1', 'sluice', 'secret', 'test', (int) getenv('MARIADB_PORT'),
            prepare: fn (\mysqli $db) => $db->set_charset('utf8mb4'), max: 20, waitLimit: 60.0);
    }
    public function ask(object $db, string $sql, array $values = []): array
    {
        $result = $values === [] ? $db->query($sql) : $db->execute_query($sql, $values);
        if ($result === false) {
            // Seldom, mysqli reports an error in this way.
            throw new \RuntimeException("The query failed: {$db->error}");
        }
        return $result === true ? [] : $result->fetch_all(MYSQLI_ASSOC);
    }
    protected function bytesType(): string { return 'LONGBLOB'; }
    protected function tableOptions(): string { return ' ENGINE=InnoDB CHARACTER SET utf8mb4'; }
    protected function marks(int $count): array { return array_fill(0, $count, '?'); }
}

final class PgsqlSession
{
    public function __construct(public \PgSql\Connection $connection) {}
}

final class PgsqlRows extends SqlDriver
{
    public function open(): void
    {
        $place = 'host=127.0.0.1 user=postgres sslmode=disable port=' . getenv('POSTGRESQL_PORT');
        $this->pool = new Pool(
            function () use ($place): PgsqlSession {
                $connection = @pg_connect($place, PGSQL_CONNECT_FORCE_NEW);
                if ($connection === false) {
                    throw new \RuntimeException(error_get_last()['message'] ?? 'pg_connect() failed');
                }
                return new PgsqlSession($connection);
            },
            max: 20,
            check: fn (PgsqlSession $db) => @pg_query($db->connection, 'SELECT 1') !== false,
            close: fn (PgsqlSession $db) => pg_close($db->connection),
            waitLimit: 60.0,
        );
    }
    public function ask(object $db, string $sql, array $values = []): array
    {
        if (isset($values[4])) {
            $values[4] = pg_escape_bytea($db->connection, $values[4]);
        }
        $result = $values === [] ? @pg_query($db->connection, $sql) : @pg_query_params($db->connection, $sql, $values);
        if ($result === false) {
            throw new \RuntimeException(pg_last_error($db->connection) ?: 'the query failed');
        }
        $rows = pg_fetch_all($result);
        foreach ($rows as &$row) {
            if (isset($row['bytes'])) {
                $row['bytes'] = pg_unescape_bytea($row['bytes']);
            }
        }
        return $rows;
    }
    protected function bytesType(): string { return 'BYTEA'; }
    protected function marks(int $count): array { return array_map(fn (int $n) => "$$n", range(1, $count)); }
}

final class RedisRows extends RowDriver
{
    public function open(): void
    {
        $this->pool = Pool::redis('127.0.0.1', (int) getenv('REDIS_PORT'), max: 20, waitLimit: 60.0);
    }
    public function fill(object $db): void
    {
        $db->flushAll();
        for ($n = 1; $n <= ROWS; $n++) {
            $db->hMSet("row $n", array_map(fn ($value) => $value ?? '(null)', row($n)));
            $db->rPush('list', "item $n");
        }
    }
    public function read(object $db, int $n): array
    {
        $row = $db->hGetAll("row $n");
        $list = $db->lRange('list', $n - 1, $n + 3);
        if ($row === [] || count($list) < min(5, ROWS - $n + 1)) {
            throw new \RuntimeException("The server has forgotten row $n");
        }
        ksort($row);  // the server keeps them in any order
        return [shown($row), $list, $db->multi(\Redis::PIPELINE)->hGet("row $n", 'text')->hLen("row $n")->hGet('row 0', 'text')->exec()];
    }
    public function begin(object $db, int $n): void
    {
        $db->multi();
        $db->incr('alone');
    }
    // Between multi() and exec() Redis does nothing yet.
    public function seen(object $db): int { return 1; }
    public function end(object $db, bool $commit): void
    {
        $commit ? $db->exec() : $db->discard();
    }
}

final class MemcachedRows extends RowDriver
{
    public function open(): void
    {
        $this->pool = new Pool(
            function (): \Memcached {
                $db = new \Memcached();
                $db->addServer('127.0.0.1', (int) getenv('MEMCACHED_PORT'));
                if ($db->getVersion() === false) {
                    throw new \RuntimeException($db->getResultMessage());
                }
                return $db;
            },
            max: 20,
            check: fn (\Memcached $db) => $db->getVersion() !== false,
            close: fn (\Memcached $db) => $db->quit(),
            waitLimit: 60.0,
        );
    }
    public function fill(object $db): void
    {
        for ($n = 1; $n <= ROWS; $n++) {
            $db->set("row-$n", row($n)) || throw new \RuntimeException($db->getResultMessage());
        }
    }
    public function read(object $db, int $n): array
    {
        $row = $db->get("row-$n");
        $several = $row === false ? false : $db->getMulti(["row-$n", 'none', 'row-' . min(ROWS, $n + 1)], \Memcached::GET_PRESERVE_ORDER);
        if ($several === false || count(array_filter($several)) < min(2, ROWS - $n + 1)) {
            throw new \RuntimeException("The server has no row $n: {$db->getResultMessage()}");
        }
        return [shown($row), array_map(fn (?array $row) => $row ? shown($row) : null, $several)];
    }
}

final class CurlRows extends RowDriver
{
    public function open(): void
    {
        $this->pool = new Pool(curl_init(...), max: 20, close: curl_close(...), waitLimit: 60.0);
    }
    public function fill(object $db): void {}
    public function read(object $db, int $n): array
    {
        curl_setopt_array($db, [CURLOPT_URL => 'http://127.0.0.1:' . getenv('HTTPROWS_PORT') . "/$n", CURLOPT_RETURNTRANSFER => true,
            CURLOPT_POSTFIELDS => row($n)['bytes'], CURLOPT_TIMEOUT => 60]);
        $answer = curl_exec($db);
        if ($answer === false) {
            throw new \RuntimeException(curl_error($db));
        }
        return [curl_getinfo($db, CURLINFO_RESPONSE_CODE), strlen($answer), md5($answer)];
    }
}
