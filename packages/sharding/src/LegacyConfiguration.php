<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * The configuration of classes for sharding by hand, as a keyspace with the vindex legacy_split:
 *
 *     ['database' => 'user_%d', 'databases' => 100, 'database_split' => 1, 'tables' => 100, 'table_split' => 100,
 *      'hosts' => ['0-49' => 'mysql:host=db1', '50-99' => 'mysql:host=db2']]
 */
final class LegacyConfiguration
{
    /**
     * @param array{database: string, databases: int, database_split?: int, tables?: int, table_split?: int, strings?: bool, hosts: array<string, string|Address>} $config
     *     `database` has %d where the number is; `hosts` has ranges of these numbers and a DSN without a database each
     * @param array<string, string> $tables from tables to their key columns
     * @throws ConfigurationException for ranges that overlap or leave a gap
     */
    public static function keyspace(array $config, array $tables, Options $options = new Options(), string $name = 'main'): Keyspace
    {
        $count = $config['databases'];
        $addresses = [];
        foreach ($config['hosts'] as $range => $host) {
            if (!\preg_match('/\A(\d+)(?:-(\d+))?\z/', (string) $range, $parts)) {
                throw new ConfigurationException("\"$range\" is no range of databases. An example: 0-49.");
            }
            $host = Address::of($host);
            for ($database = (int) $parts[1]; $database <= (int) ($parts[2] ?? $parts[1]); ++$database) {
                if (isset($addresses[$database]) || $database >= $count) {
                    throw new ConfigurationException("The host range $range has the database $database, which " . ($database >= $count ? "does not exist: there are $count." : 'another range has, too.'));
                }
                $dsn = \rtrim($host->dsn, ';') . ';dbname=' . \sprintf($config['database'], $database);
                $addresses[$database] = new Address($dsn, $host->user, $host->password, $host->options);
            }
        }
        $shards = [];
        for ($database = 0; $database < $count; ++$database) {
            $address = $addresses[$database] ?? throw new ConfigurationException("No host range has the database $database. All of 0 to " . ($count - 1) . ' must be in one.');
            $shards[self::shardName($database, $count)] = $address;
        }
        $vschema = ['sharded' => true, 'vindexes' => ['legacy' => ['type' => 'legacy_split', 'params' => [
            'databases' => $count, 'database_split' => $config['database_split'] ?? 1,
            'tables' => $config['tables'] ?? 1, 'table_split' => $config['table_split'] ?? 1, 'strings' => $config['strings'] ?? false,
        ]]], 'tables' => []];
        foreach ($tables as $table => $column) {
            $vschema['tables'][$table] = ['column_vindexes' => [['column' => $column, 'name' => 'legacy']]];
        }
        return Keyspace::of($vschema, $shards, $options, $name);
    }

    /** The key range of a database: `-0001`, `0001-0002`, …; the last one is open. */
    public static function shardName(int $database, int $databases): string
    {
        $start = $database === 0 ? '' : \bin2hex(\pack('n', $database));
        return $start . '-' . ($database === $databases - 1 ? '' : \bin2hex(\pack('n', $database + 1)));
    }
}
