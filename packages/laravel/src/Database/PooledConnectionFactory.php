<?php

declare(strict_types=1);

namespace Sluice\Laravel\Database;

use Illuminate\Contracts\Container\Container;
use Illuminate\Database\Connection;
use Illuminate\Database\Connectors\ConnectionFactory;
use Sluice\{Lease, Pool};

/**
 * Makes connections that borrow a PDO from the worker's pool when they first need one, and give it back when the request has ended. So every
 * request has transactions of its own, however few connections to the database the pool may have.
 *
 * @internal
 */
final class PooledConnectionFactory extends ConnectionFactory
{
    /** @var array<string, Pool<\PDO>> of this worker, by configuration */
    private static array $pools = [];
    /** @var \WeakMap<Connection, true> those that this object has made */
    private \WeakMap $connections;
    /** @var array<string, list<Lease<\PDO>>> of this request, by configuration */
    private array $leases = [];

    public function __construct(Container $container)
    {
        parent::__construct($container);
        $this->connections = new \WeakMap();
    }

    /**
     * @param array<string, mixed> $config
     * @param string|null $name
     */
    public function make(array $config, $name = null): Connection
    {
        $connection = parent::make($config, $name);
        $this->connections[$connection] = true;
        return $connection;
    }

    /** Gives all back. Connections that outlive the request, or that PHP frees later, let go of what is no longer theirs, and ask anew. */
    public function release(bool $areBroken): void
    {
        $lent = [];
        foreach ($this->leases as $leases) {
            foreach ($leases as $lease) {
                $lent[\spl_object_id($lease->item)] = true;
            }
        }
        foreach ($lent === [] ? [] : $this->connections as $connection => $_) {
            foreach (self::pdosOf($connection) as $pdo) {
                isset($lent[\spl_object_id($pdo)]) && $connection->disconnect();
            }
        }
        foreach ($this->leases as $leases) {
            foreach ($leases as $lease) {
                $areBroken ? $lease->discard() : $lease->giveBack();
            }
        }
        $this->leases = [];
    }

    /**
     * Removes what no connection has any more: Laravel asks again when it has found that a PDO has lost the connection.
     *
     * @param list<Lease<\PDO>> $leases
     * @return list<Lease<\PDO>>
     */
    private function inUse(array $leases): array
    {
        $used = [];
        foreach ($this->connections as $connection => $_) {
            foreach (self::pdosOf($connection) as $pdo) {
                $used[\spl_object_id($pdo)] = true;
            }
        }
        foreach ($leases as $index => $lease) {
            if (!isset($used[\spl_object_id($lease->item)])) {
                $lease->discard();
                unset($leases[$index]);
            }
        }
        return \array_values($leases);
    }

    /** @return list<\PDO> */
    private static function pdosOf(Connection $connection): array
    {
        return \array_values(\array_filter([$connection->getRawPdo(), $connection->getRawReadPdo()], static fn(mixed $pdo) => $pdo instanceof \PDO));
    }

    /** @param array<string, mixed> $config */
    protected function createPdoResolver(array $config): \Closure
    {
        /** @var \Closure(): \PDO $connect */
        $connect = parent::createPdoResolver($config);
        $database = $config['database'] ?? '';
        if (\is_string($database) && ($config['driver'] ?? null) === 'sqlite' && (\str_contains($database, ':memory:') || \str_contains($database, 'mode=memory'))) {
            // A database in memory belongs to one connection: it cannot be pooled.
            return $connect;
        }
        $pool = \is_array($config['pool'] ?? null) ? $config['pool'] : [];
        $key = \md5(\serialize(\array_filter($config, static fn(mixed $value) => !$value instanceof \Closure)));
        return function () use ($key, $connect, $pool): \PDO {
            self::$pools[$key] ??= self::newPool($connect, $pool);
            $this->leases[$key] = $this->inUse($this->leases[$key] ?? []);
            $lease = self::$pools[$key]->borrow();
            $this->leases[$key][] = $lease;
            return $lease->item;
        };
    }

    /**
     * @param \Closure(): \PDO $connect
     * @param array<mixed> $options
     * @return Pool<\PDO>
     */
    private static function newPool(\Closure $connect, array $options): Pool
    {
        return new Pool(
            $connect,
            max: self::number($options, 'max', 16),
            reset: self::reset(...),
            check: static fn(\PDO $pdo): bool => $pdo->query('SELECT 1') !== false,
            waitLimit: self::number($options, 'wait', 30),
            idleTime: self::number($options, 'idle', 60),
        );
    }

    /** A transaction that a request has left open is not for the next one. */
    private static function reset(\PDO $pdo): void
    {
        if ($pdo->inTransaction()) {
            $pdo->rollBack();
        }
    }

    /** @param array<mixed> $pool */
    private static function number(array $pool, string $name, int $default): int
    {
        return \is_int($pool[$name] ?? null) ? $pool[$name] : $default;
    }
}
