<?php

declare(strict_types=1);

/** Moves amounts between rows of four shards, each time by a transaction on three of them, until it is killed. Prints how many have committed. */

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{Options, Transaction, TransactionException};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$shop = Shop::known('shop', 4, ['users' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']]]], new Options(
    failoverSeconds: 0,
    prepare: static fn(\PDO $db) => $db->exec('SET innodb_lock_wait_timeout = 1'),  // Two transfers may wait for each other on two shards.
));
$users = $shop->table('users');
$ids = \explode(',', $argv[1] ?? '');
echo "ready\n";
for ($committed = 0;;) {
    \shuffle($ids);
    try {
        Transaction::xa($shop)->run(static function (Transaction $transaction) use ($users, $ids): void {
            foreach ([-1, -1, 2] as $i => $amount) {
                $transaction->on($users->shard($ids[$i]))->prepare('UPDATE users SET balance = balance + ? WHERE id = ?')->execute([$amount, $ids[$i]]);
            }
        });
        echo ++$committed, "\n";
    } catch (\PDOException | TransactionException) {
        \usleep(1000);  // A server is down, a row is locked by what is prepared, or two transfers have met.
    }
}
