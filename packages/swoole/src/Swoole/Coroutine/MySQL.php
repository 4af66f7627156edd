<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Swoole\Errors;
use Swoole\Coroutine\MySQL\Statement;

/** The client of 5.1, over mysqli. */
class MySQL
{
    /** @var array<string, mixed> */
    public array $serverInfo = [];
    public int $sock = -1;
    public bool $connected = false;
    public string $connect_error = '';
    public int $connect_errno = 0;
    public int $affected_rows = 0;
    public int $insert_id = 0;
    public string $error = '';
    public int $errno = 0;
    private ?\mysqli $connection = null;
    private bool $defer = false;
    /** @var \Closure(): mixed|null */
    private ?\Closure $deferred = null;
    /** @var list<list<array<mixed>>> the results of a call after the first */
    private array $more = [];

    public function getDefer(): bool
    {
        return $this->defer;
    }

    public function setDefer(bool $defer = true): bool
    {
        $this->defer = $defer;
        return true;
    }

    /** @param array<string, mixed>|null $server_config */
    public function connect(?array $server_config = null): bool
    {
        $config = $server_config ?? $this->serverInfo;
        if (!isset($config['host'], $config['user'], $config['password'], $config['database'])) {
            throw new MySQL\Exception('Parameter [host], [user], [password] and [database] are required');
        }
        $this->serverInfo = $config;
        $text = static fn(string $name, string $default = ''): string => \is_scalar($config[$name] ?? null) ? (string) $config[$name] : $default;
        \mysqli_report(\MYSQLI_REPORT_OFF);
        $connection = new \mysqli();
        $timeout = (int) \ceil((float) $text('timeout', '10'));
        $connection->options(\MYSQLI_OPT_CONNECT_TIMEOUT, \max(1, $timeout));
        $connection->options(\MYSQLI_OPT_INT_AND_FLOAT_NATIVE, 1);
        // Said with the login: no question of its own.
        $charset = $text('charset', 'utf8mb4') === 'utf8' ? 'utf8mb4' : $text('charset', 'utf8mb4');
        $connection->options(\MYSQLI_SET_CHARSET_NAME, $charset);
        $host = $text('host');
        $socket = \str_starts_with($host, 'unix:/') ? \substr($host, 5) : null;
        $done = @$connection->real_connect($socket === null ? $host : 'localhost', $text('user'), $text('password'), $text('database'), (int) $text('port', '3306'), $socket);
        if (!$done) {
            $this->connect_errno = $connection->connect_errno;
            $this->connect_error = (string) $connection->connect_error;
            return Errors::fail($this->connect_errno);
        }
        if ($connection->character_set_name() !== $charset) {
            // What the client does not know it has not said.
            $connection->close();
            $this->connect_errno = 2019;
            $this->connect_error = "Can't initialize character set $charset";
            return Errors::fail($this->connect_errno);
        }
        $this->connection = $connection;
        $this->connected = true;
        $this->connect_errno = 0;
        $this->connect_error = '';
        return true;
    }

    /** @return array<int|string, mixed>|bool */
    public function query(string $sql, float $timeout = 0): array|bool
    {
        return $this->call(fn(): array|bool => $this->run($sql, $timeout));
    }

    public function prepare(string $query, float $timeout = 0): Statement|bool
    {
        $connection = $this->live();
        if ($connection === null) {
            return false;
        }
        $result = $this->call(function () use ($connection, $query): Statement|false {
            $statement = $connection->prepare($query);
            return $statement === false ? $this->failed($connection) : new Statement($statement, $this);
        });
        return $result;
    }

    public function begin(float $timeout = 0): bool
    {
        return (bool) $this->query('START TRANSACTION', $timeout);
    }

    public function commit(float $timeout = 0): bool
    {
        return (bool) $this->query('COMMIT', $timeout);
    }

    public function rollback(float $timeout = 0): bool
    {
        return (bool) $this->query('ROLLBACK', $timeout);
    }

    public function escape(string $string): string
    {
        return $this->connection?->real_escape_string($string) ?? \addslashes($string);
    }

    /** The result of a deferred call. */
    public function recv(float $timeout = 0): mixed
    {
        $deferred = $this->deferred;
        $this->deferred = null;
        return $deferred === null ? false : $deferred();
    }

    /** @return list<array<mixed>>|null|false */
    public function fetchAll(float $timeout = 0): array|null|false
    {
        return $this->more === [] ? null : \array_shift($this->more);
    }

    /** @return array<mixed>|null|false */
    public function fetch(float $timeout = 0): array|null|false
    {
        if ($this->more === [] || $this->more[0] === []) {
            return null;
        }
        return \array_shift($this->more[0]);
    }

    /** @return list<array<mixed>>|bool|null */
    public function nextResult(float $timeout = 0): array|bool|null
    {
        return $this->more === [] ? null : true;
    }

    public function close(): bool
    {
        if ($this->connection === null) {
            return false;
        }
        $this->connection->close();
        $this->connection = null;
        $this->connected = false;
        return true;
    }

    /** @internal */
    public function note(\mysqli|\mysqli_stmt $from): void
    {
        $this->affected_rows = (int) $from->affected_rows;
        $this->insert_id = (int) $from->insert_id;
        $this->errno = $from->errno;
        $this->error = $from->error;
    }

    /** @return array<int|string, mixed>|bool */
    private function run(string $sql, float $timeout): array|bool
    {
        $connection = $this->live();
        if ($connection === null) {
            return false;
        }
        if ($timeout > 0) {
            $connection->options(\MYSQLI_OPT_READ_TIMEOUT, (int) \ceil($timeout));
        }
        $result = $connection->query($sql);
        if ($result === false) {
            return $this->failed($connection);
        }
        $this->note($connection);
        if (!$result instanceof \mysqli_result) {
            return true;
        }
        $rows = $result->fetch_all(\MYSQLI_ASSOC);
        if (($this->serverInfo['fetch_mode'] ?? false) === true) {
            $this->more = [$rows];
            return true;
        }
        return $rows;
    }

    /**
     * @template T
     * @param \Closure(): T $call
     * @return T|bool
     */
    private function call(\Closure $call): mixed
    {
        if (!$this->defer) {
            return $call();
        }
        $channel = new Channel(1);
        \Swoole\Coroutine::create(static function () use ($channel, $call): void {
            $channel->push([$call()]);
        });
        $this->deferred = static function () use ($channel): mixed {
            $result = $channel->pop();
            return \is_array($result) ? $result[0] : false;
        };
        return true;
    }

    private function live(): ?\mysqli
    {
        if ($this->connection === null) {
            $this->errno = 2006;
            $this->error = 'SQLSTATE[HY000] [2006] MySQL server has gone away';
            Errors::set(2006);
        }
        return $this->connection;
    }

    private function failed(\mysqli $connection): false
    {
        $this->note($connection);
        if ($connection->errno === 2006 || $connection->errno === 2013) {
            $this->close();
        }
        return Errors::fail($this->errno);
    }
}
