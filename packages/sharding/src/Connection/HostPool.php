<?php

declare(strict_types=1);

namespace Sluice\Sharding\Connection;

use Sluice\{Lease, Pool};
use Sluice\Sharding\{Address, Identifier, Options};

/**
 * The connections to one host, which its shards share: `USE` takes a connection to a shard's database. With the extension they are in a
 * Pool, which checks and replaces them; without it the free ones are kept in a list.
 *
 * @internal
 */
final class HostPool
{
    /** @var Pool<\PDO>|null */
    private ?Pool $pool = null;
    /** @var list<\PDO> */
    private array $idle = [];
    /** @var \WeakMap<\PDO, string> the database of each connection; not there when it may have changed */
    private \WeakMap $databases;
    private int $process;

    public function __construct(private readonly Address $address, private readonly Options $options)
    {
        $this->databases = new \WeakMap();
        $this->process = (int) \getmypid();
        if (\extension_loaded('sluice')) {
            $this->pool = new Pool(
                $this->connect(...),
                max: $options->connectionsPerHost,
                reset: self::reset(...),
                check: static fn(\PDO $pdo): bool => $pdo->query('SELECT 1') !== false,
                waitLimit: $options->waitSeconds,
            );
        }
    }

    /** @param bool $staysElsewhere whether the connection may be in another database */
    public function borrow(string $database, bool $staysElsewhere = false): HostLease
    {
        $lease = $this->pool?->borrow();
        try {
            $pdo = $lease === null ? $this->fromIdle() : $lease->item;
            $isElsewhere = $database !== '' && ($this->databases[$pdo] ?? '') !== $database;
            if ($isElsewhere && (!$staysElsewhere || !isset($this->databases[$pdo]))) {
                $isElsewhere = false;
                $pdo->exec('USE ' . Identifier::quote($database));
                $this->databases[$pdo] = $database;
            }
        } catch (\Throwable $error) {
            $lease?->discard();
            throw $error;
        }
        return new HostLease($this, $pdo, $lease, $isElsewhere);
    }

    /** @param Lease<\PDO>|null $lease */
    public function takeBack(\PDO $pdo, ?Lease $lease, bool $isBroken, bool $mayHaveMoved): void
    {
        if ($mayHaveMoved) {
            unset($this->databases[$pdo]);
        }
        if ($lease !== null) {
            $isBroken ? $lease->discard() : $lease->giveBack();
        } elseif (!$isBroken && $this->process === \getmypid()) {
            try {
                self::reset($pdo);
                $this->idle[] = $pdo;
            } catch (\PDOException) {
                // A connection that cannot be reset is dropped.
            }
        }
    }

    private function fromIdle(): \PDO
    {
        if ($this->process !== \getmypid()) {
            // After a fork the connections are the parent's.
            $this->idle = [];
            $this->process = (int) \getmypid();
        }
        return \array_pop($this->idle) ?? $this->connect();
    }

    private function connect(): \PDO
    {
        $options = $this->address->options + [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION];
        $pdo = new \PDO($this->address->hostDsn, $this->address->user, $this->address->password, $options);
        if ($this->options->prepare !== null) {
            ($this->options->prepare)($pdo);
        }
        return $pdo;
    }

    private static function reset(\PDO $pdo): void
    {
        if ($pdo->inTransaction()) {
            $pdo->rollBack();
        }
    }
}
