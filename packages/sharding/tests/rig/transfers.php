<?php

declare(strict_types=1);

/** Moves money between users on different shards by XA until it is killed. */

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{Address, Keyspace, Transaction};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$shards = [];
foreach (['-40', '40-80', '80-c0', 'c0-'] as $i => $name) {
    $dsns = Shop::dsns();
    $shards[$name] = new Address($dsns[$i % \count($dsns)] . ";dbname=shop$i;charset=utf8mb4", 'sluice', 'secret');
}
$shop = Keyspace::of(['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash']], 'tables' => ['users' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']]]]], $shards);
$users = $shop->table('users');
$ids = \explode(',', $argv[1] ?? '');
echo "ready\n";
for (;;) {
    \shuffle($ids);
    Transaction::xa($shop)->run(static function (Transaction $transaction) use ($users, $ids): void {
        foreach ([-1, -1, 2] as $i => $amount) {
            $transaction->on($users->shard($ids[$i]))->prepare('UPDATE users SET balance = balance + ? WHERE id = ?')->execute([$amount, $ids[$i]]);
        }
    });
}
