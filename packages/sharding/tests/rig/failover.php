<?php

declare(strict_types=1);

/**
 * Reads what it has written from a replica; then writes row after row until it is told to stop, and prints each that was committed.
 * With `cluster` the servers are equal, and there is no replica.
 *
 *     SHARD_DSNS='mysql:host=…;port=… of the primary|… of the replica' php failover.php [cluster]
 */

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{Address, Keyspace, Options, PDO};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$dsns = \array_map(static fn(string $dsn) => "$dsn;dbname=test", Shop::dsns());
$primary = \array_shift($dsns) ?? '';
$isCluster = ($argv[1] ?? '') === 'cluster';
$keyspace = Keyspace::of(
    ['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash']], 'tables' => ['t' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']]]]],
    ['-' => new Address($primary, 'sluice', 'secret', [\PDO::ATTR_TIMEOUT => 2], replicas: $isCluster ? [] : $dsns, standbys: $isCluster ? $dsns : [])],
    new Options(failoverSeconds: 60),
);
$db = new PDO($keyspace);
for ($id = 1; !$isCluster && $id <= 50; ++$id) {
    $db->exec('USE main');
    $db->exec("INSERT INTO t (id) VALUES ($id)");
    $db->exec('USE main@replica');
    if ($db->query("SELECT COUNT(*) FROM t WHERE id = $id")->fetchColumn() !== 1) {
        echo "the replica has no row $id\n";
        exit(1);
    }
}
$db->exec('USE main');
echo "reads its writes\n";
\stream_set_blocking(\STDIN, false);
for ($failovers = 0; \fgets(\STDIN) === false; ++$id) {
    try {
        $db->exec("INSERT INTO t (id) VALUES ($id)");
        echo "committed $id\n";
    } catch (\PDOException $error) {
        // It was under way when the connection was lost: nobody knows whether it is there, and repeating it could write it twice.
        echo "unknown $id {$error->getMessage()}\n";
    }
    $now = $keyspace->figures->shards()['-']['failovers'];
    if ($now !== $failovers) {
        $failovers = $now;
        echo "failovers $failovers\n";
    }
}
echo "stopped\n";
