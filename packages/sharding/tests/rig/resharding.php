<?php

declare(strict_types=1);

/** `write N`: writes rows of its own until it meets the fence, and prints what is committed. `reshard`: splits the shards, two into four. */

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{Address, Keyspace, PDO, Resharding};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$keyspace = static function (string $prefix, int $count): Keyspace {
    $shards = [];
    $dsns = Shop::dsns();
    $names = $count === 2 ? ['-80', '80-'] : ['-40', '40-80', '80-c0', 'c0-'];
    foreach ($names as $i => $name) {
        $shards[$name] = new Address($dsns[$i % \count($dsns)] . ";dbname=$prefix$i;charset=utf8mb4", 'sluice', 'secret');
    }
    return Keyspace::of(['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash']], 'tables' => [
        't' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']], 'columns' => [['name' => 'id', 'type' => 'UINT64']]], 'r' => ['type' => 'reference'],
    ]], $shards);
};
$from = $keyspace('old', 2);
if (($argv[1] ?? '') === 'reshard') {
    $wrong = (new Resharding($from, $keyspace('new', 4)))->run(static function (string $line): void {
        echo "$line\n";
    });
    \fwrite(\STDERR, \implode("\n", $wrong));
    exit($wrong === [] ? 0 : 1);
}
$db = new PDO($from);
$mine = (int) ($argv[2] ?? 0);
for ($i = 0;; ++$i) {
    // Old rows and new ones, of which no other process writes any.
    $id = ($i % 2 === 0 ? \random_int(0, 199) : 1000 + \random_int(0, 499)) * 4 + $mine;
    try {
        if (\random_int(0, 9) === 0) {
            $db->exec("DELETE FROM t WHERE id = $id");
            echo "$id -\n";
        } else {
            $db->exec("REPLACE INTO t (id, name) VALUES ($id, 'v$i')");
            echo "$id v$i\n";
        }
    } catch (\PDOException $error) {
        if (\str_contains($error->getMessage(), 'have moved')) {
            exit(0);
        }
        throw $error;
    }
}
