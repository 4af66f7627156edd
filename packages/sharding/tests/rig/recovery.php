<?php

declare(strict_types=1);

/**
 * Ends what dead coordinators leave, and answers each line of its input with the sum of all balances and the number of prepared branches; by
 * "-" for the sum while a server is down.
 *
 *     SHARD_DSNS=… php recovery.php [make]
 */

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{Ask, Keyspace, PDO};
use Sluice\Sharding\Xa\Recovery;

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

const TABLES = ['users' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']]]];

/** @return array{string, int} */
$state = static function (Keyspace $shop): array {
    try {
        $sum = (new PDO($shop))->query('/*vt+ ALLOW_SCATTER=1 */ SELECT SUM(balance) FROM users')->fetchColumn();
        $prepared = \array_sum(\array_map(static fn(string $dsn) => \count(Ask::rows(Shop::connect($dsn), 'XA RECOVER')), Shop::dsns()));
        return [\is_string($sum) ? $sum : '?', $prepared];
    } catch (\PDOException) {
        return ['-', 0];
    }
};
if (($argv[1] ?? '') === 'make') {
    $shop = Shop::keyspace('shop', 4, ['CREATE TABLE users (id BIGINT PRIMARY KEY, balance INT NOT NULL)'], TABLES);
    $ids = [];
    for ($id = 1; \count($ids) < 4; ++$id) {
        $ids[$shop->table('users')->shard($id)->name] ??= $id;
    }
    foreach ($ids as $id) {
        (new PDO($shop))->exec("INSERT INTO users (id, balance) VALUES ($id, 100)");
    }
    echo \implode(',', $ids), "\n";
    exit;
}
$shop = Shop::known('shop', 4, TABLES, new \Sluice\Sharding\Options(failoverSeconds: 0));
$recovery = new Recovery($shop, after: 1.0);
\stream_set_blocking(\STDIN, false);
while (!\feof(\STDIN)) {
    try {
        $recovery->look();
    } catch (\PDOException) {
        // A server is down: the next look may find it.
    }
    if (\fgets(\STDIN) !== false) {
        echo \implode(' ', $state($shop)), "\n";
    }
    \usleep(50_000);
}
