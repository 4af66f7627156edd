<?php

declare(strict_types=1);

namespace Sluice;

/**
 * How Pool::pdo(), Pool::mysqli() and Pool::redis() make, reset and check connections.
 *
 * @internal
 */
final class PoolRecipes
{
    /** Errors of MySQL's client after which the connection, or its state in the protocol, is lost. */
    private const MYSQL_LOST = [
        1053, 1077, 1079, 1080, 1152, 1153, 1158, 1159, 1160, 1161, 1927, 2002, 2003, 2006, 2013, 2014, 2026, 2027, 2055, 4031,
    ];

    public static function requireExtension(string $extension, string $caller, string $package): void
    {
        if (!\extension_loaded($extension)) {
            throw new PoolException("Sluice\\$caller needs PHP's extension $extension, which is not loaded: install $package");
        }
    }

    /**
     * @param array<int, mixed> $options
     * @param null|\Closure(\PDO): mixed $prepare
     */
    public static function newPdo(
        string $dsn,
        ?string $user,
        #[\SensitiveParameter]
        ?string $password,
        array $options,
        ?\Closure $prepare,
    ): \PDO {
        $db = new \PDO($dsn, $user, $password, $options);
        if ($prepare !== null) {
            $prepare($db);
        }
        return $db;
    }

    public static function resetPdo(\PDO $db): void
    {
        $driver = $db->getAttribute(\PDO::ATTR_DRIVER_NAME);
        if ($driver === 'mysql' && \in_array($db->errorInfo()[1], self::MYSQL_LOST, true)) {
            throw new PoolException('The connection is lost');
        }
        if ($driver === 'pgsql' && \str_starts_with((string) $db->getAttribute(\PDO::ATTR_CONNECTION_STATUS), 'Bad')) {
            throw new PoolException('The connection is lost');
        }
        if ($db->inTransaction()) {
            $db->rollBack();
        } elseif ($driver === 'sqlite') {
            // PDO does not notice a transaction that SQL has begun. Without one this fails at once.
            $mode = $db->getAttribute(\PDO::ATTR_ERRMODE);
            $db->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_SILENT);
            $db->exec('ROLLBACK');
            $db->setAttribute(\PDO::ATTR_ERRMODE, $mode);
        }
    }

    public static function checkPdo(\PDO $db): bool
    {
        $answer = @$db->query($db->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'oci' ? 'SELECT 1 FROM DUAL' : 'SELECT 1');
        return $answer !== false && $answer->fetchAll() !== [];
    }

    /** @param null|\Closure(\mysqli): mixed $prepare */
    public static function newMysqli(
        string $host,
        string $user,
        #[\SensitiveParameter]
        string $password,
        string $database,
        int $port,
        ?string $socket,
        ?\Closure $prepare,
    ): \mysqli {
        $db = @new \mysqli($host, $user, $password, $database, $port, $socket);
        if ($db->connect_errno !== 0) {
            // Without MYSQLI_REPORT_STRICT mysqli does not throw.
            throw new \mysqli_sql_exception((string) $db->connect_error, $db->connect_errno);
        }
        if ($prepare !== null) {
            $prepare($db);
        }
        return $db;
    }

    public static function resetMysqli(\mysqli $db): void
    {
        if (\in_array($db->errno, self::MYSQL_LOST, true) || !@$db->rollback()) {
            throw new PoolException('The connection is lost');
        }
    }

    public static function checkMysqli(\mysqli $db): bool
    {
        $answer = @$db->query('SELECT 1');
        return $answer instanceof \mysqli_result && $answer->fetch_all() !== [];
    }

    /** @param null|string|list<string> $auth */
    public static function newRedis(
        string $host,
        int $port,
        #[\SensitiveParameter]
        null|string|array $auth,
        int $database,
        float $timeout,
        float $readTimeout,
    ): \Redis {
        $redis = new \Redis();
        $redis->connect($host, $port, $timeout, null, 0, $readTimeout);
        if ($auth !== null && $redis->auth($auth) === false) {
            throw new \RedisException("The server at $host refuses the password: " . $redis->getLastError());
        }
        if ($database !== 0) {
            $redis->select($database);
        }
        return $redis;
    }

    public static function resetRedis(\Redis $redis, int $database): void
    {
        if (!$redis->isConnected()) {
            throw new PoolException('The connection is lost');
        }
        if ($redis->getMode() !== \Redis::ATOMIC) {
            $redis->discard();
        }
        if ($redis->getDbNum() !== $database) {
            $redis->select($database);
        }
    }
}
