<?php

declare(strict_types=1);

namespace Sluice\Sharding\Connection;

use Sluice\Sharding\{Address, Ask, Target};

/** The servers of a shard: which is the primary now, and which replica is next. @internal */
final class Topology
{
    private Address $primary;
    /** @var list<Address> */
    private readonly array $replicas;
    /** @var list<Address> who may be the primary */
    private readonly array $candidates;
    private int $next = 0;

    public function __construct(Address $address)
    {
        $this->primary = $address;
        $this->replicas = \array_map(static fn(string|Address $other) => Address::of($other)->inherit($address), $address->replicas);
        $this->candidates = [$address, ...\array_map(static fn(string|Address $other) => Address::of($other)->inherit($address), $address->standbys), ...$this->replicas];
    }

    public function address(Target $target): Address
    {
        return $target === Target::Primary || $this->replicas === [] ? $this->primary : $this->replicas[$this->next++ % \count($this->replicas)];
    }

    /** @return list<Address> */
    public function replicas(): array
    {
        return $this->replicas;
    }

    public function hasStandbys(): bool
    {
        return \count($this->candidates) > 1;
    }

    /** @throws \PDOException when no connection is made in this time */
    public function reach(int $seconds): void
    {
        self::connect($this->primary, $seconds);
    }

    private static function connect(Address $address, int $seconds): \PDO
    {
        $options = [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION, \PDO::ATTR_TIMEOUT => $seconds] + $address->options;
        return new \PDO($address->dsn, $address->user, $address->password, $options);
    }

    /**
     * Looks for the server that takes writes: one that is not read-only and, in a Galera cluster, ready.
     *
     * @return bool whether there is one
     */
    public function elect(): bool
    {
        foreach ($this->candidates as $candidate) {
            try {
                $pdo = self::connect($candidate, 1);
                if (\str_starts_with($candidate->dsn, 'mysql:')) {
                    $isReadOnly = Ask::text($pdo, 'SELECT @@global.read_only') !== '0';
                    $isInCluster = (Ask::rows($pdo, "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'")[0][1] ?? '') === 'ON';
                    if ($isReadOnly || ($isInCluster && (Ask::rows($pdo, "SHOW GLOBAL STATUS LIKE 'wsrep_ready'")[0][1] ?? '') !== 'ON')) {
                        continue;
                    }
                }
                $this->primary = $candidate;
                return true;
            } catch (\PDOException) {
                continue;
            }
        }
        return false;
    }
}
