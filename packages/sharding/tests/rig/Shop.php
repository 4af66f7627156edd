<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{Address, Keyspace, Options};

/** Databases on servers of a test: `SHARD_DSNS` has a DSN without a database for each server, `;`-separated fields within, `|` between. */
final class Shop
{
    /** @return list<string> */
    public static function dsns(): array
    {
        return \explode('|', (string) \getenv('SHARD_DSNS'));
    }

    public static function connect(string $dsn): \PDO
    {
        return new \PDO($dsn, 'sluice', 'secret', [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION]);
    }

    /**
     * Makes the databases `$prefix`0 … anew, the shards spread over the servers.
     *
     * @param list<string> $tables statements
     * @return array<string, Address> by the names of shards
     */
    public static function shards(string $prefix, int $count, array $tables): array
    {
        $shards = self::addresses($prefix, $count);
        foreach (\array_values($shards) as $i => $address) {
            $db = self::connect(\substr($address->dsn, 0, (int) \strpos($address->dsn, ';dbname')));
            $db->exec("DROP DATABASE IF EXISTS $prefix$i");
            $db->exec("CREATE DATABASE $prefix$i CHARACTER SET utf8mb4");
            $db->exec("USE $prefix$i");
            foreach ($tables as $table) {
                $db->exec($table);
            }
        }
        return $shards;
    }

    /** @return array<string, Address> by the names of shards */
    private static function addresses(string $prefix, int $count): array
    {
        $dsns = self::dsns();
        $shards = [];
        for ($i = 0; $i < $count; ++$i) {
            $dsn = $dsns[$i % \count($dsns)];
            $step = \intdiv(256, $count);
            $name = ($i === 0 ? '' : \sprintf('%02x', $i * $step)) . '-' . ($i === $count - 1 ? '' : \sprintf('%02x', ($i + 1) * $step));
            $shards[$name] = new Address("$dsn;dbname=$prefix$i;charset=utf8mb4", 'sluice', 'secret');
        }
        return $shards;
    }

    /**
     * @param list<string> $statements
     * @param array<mixed> $tables of the VSchema
     */
    public static function keyspace(string $prefix, int $count, array $statements, array $tables, Options $options = new Options()): Keyspace
    {
        return Keyspace::of(['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash'], 'numeric' => ['type' => 'numeric']], 'tables' => $tables], self::shards($prefix, $count, $statements), $options);
    }

    /**
     * A keyspace of databases that are there.
     *
     * @param array<mixed> $tables of the VSchema
     */
    public static function known(string $prefix, int $count, array $tables, Options $options = new Options()): Keyspace
    {
        return Keyspace::of(['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash'], 'numeric' => ['type' => 'numeric']], 'tables' => $tables], self::addresses($prefix, $count), $options);
    }
}
