<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Limits of a keyspace, each of them in one process. */
final readonly class Options
{
    /**
     * @param int $connections to all servers, 1 to 100,000
     * @param int $connectionsPerHost to one server, 1 to 100,000
     * @param int $connectionsPerShard to one shard, 1 to 100,000
     * @param float $waitSeconds how long a coroutine waits for connections, 0 to 86,400
     * @param float $failoverSeconds how long what is outside of a transaction waits for a new primary, 0 (not at all) to 3,600
     * @param int $mergeBytes how much memory the rows of one merged result may take, 4,096 to 2^40
     * @param bool $allowScatter whether SQL without a sharding key is sent to all shards without being told so by ALLOW_SCATTER
     * @param bool $allowDdl whether SQL that changes tables, indexes and views is executed on all shards, as migrations of ORMs need it; else it is refused
     * @param int $plans how many parsed statements are kept, 0 to 1,000,000
     * @param null|\Closure(\PDO): mixed $prepare called with each new connection: for `SET` statements and attributes
     * @param float $slowSeconds a query that takes longer is logged with its route, 0.001 to 86,400
     * @param bool $passThrough whether the DSN names a server that knows the shards itself, VTGate or MariaDB with Spider: statements go to it as they are, directives and
     *     `USE keyspace:-80@replica` included. The keyspace then has one shard, `-`
     * @param null|\Closure(string): mixed $log gets the lines of the slow log and of refused statements
     * @throws ConfigurationException for a value that is out of range
     */
    public function __construct(
        public int $connections = 200,
        public int $connectionsPerHost = 40,
        public int $connectionsPerShard = 20,
        public float $waitSeconds = 10.0,
        public float $failoverSeconds = 10.0,
        public int $mergeBytes = 64 << 20,
        public bool $allowScatter = false,
        public bool $allowDdl = false,
        public int $plans = 1000,
        public ?\Closure $prepare = null,
        public float $slowSeconds = 1.0,
        public bool $passThrough = false,
        public ?\Closure $log = null,
    ) {
        self::requireRange('connections', $connections, 1, 100_000);
        self::requireRange('connectionsPerHost', $connectionsPerHost, 1, 100_000);
        self::requireRange('connectionsPerShard', $connectionsPerShard, 1, 100_000);
        self::requireRange('waitSeconds', $waitSeconds, 0, 86_400);
        self::requireRange('failoverSeconds', $failoverSeconds, 0, 3_600);
        self::requireRange('mergeBytes', $mergeBytes, 4_096, 1 << 40);
        self::requireRange('plans', $plans, 0, 1_000_000);
        self::requireRange('slowSeconds', $slowSeconds, 0.001, 86_400);
    }

    private static function requireRange(string $name, int|float $value, int|float $min, int|float $max): void
    {
        if ($value < $min || $value > $max) {
            throw new ConfigurationException("Options: $name must be from $min to $max, $value given.");
        }
    }
}
