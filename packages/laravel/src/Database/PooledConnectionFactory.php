<?php

declare(strict_types=1);

namespace Sluice\Laravel\Database;

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
    /** @var array<string, Lease<\PDO>> of this request, by configuration */
    private array $leases = [];

    /** Gives all back. */
    public function release(bool $areBroken): void
    {
        foreach ($this->leases as $lease) {
            $areBroken ? $lease->discard() : $lease->giveBack();
        }
        $this->leases = [];
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
            // Laravel asks again when it has found that its first PDO has lost the connection.
            ($this->leases[$key] ?? null)?->discard();
            unset($this->leases[$key]);
            $this->leases[$key] = self::$pools[$key]->borrow();
            return $this->leases[$key]->item;
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
