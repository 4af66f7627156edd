<?php

declare(strict_types=1);

/** `write N`: writes rows of its own, reads them, and prints what is committed, until its input has a line. `reshard`: splits the shards, two into four. */

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{PDO, Resharding, TransactionMode};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$tables = ['t' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']], 'columns' => [['name' => 'id', 'type' => 'UINT64']]], 'r' => ['type' => 'reference']];
if (($argv[1] ?? '') === 'reshard' && isset($argv[2])) {
    $tables = \json_decode($argv[2], true);
    \assert(\is_array($tables));
}
$from = Shop::known('old', 2, $tables);
if (($argv[1] ?? '') === 'reshard') {
    $wrong = (new Resharding($from, Shop::known('new', 4, $tables)))->run(static function (string $line): void {
        echo "$line\n";
    });
    \fwrite(\STDERR, \implode("\n", $wrong));
    exit($wrong === [] ? 0 : 1);
}
$db = new PDO($from);
$mine = (int) ($argv[2] ?? 0);
// Old rows and new ones, of which no other process writes any.
$id = static fn(): int => (\random_int(0, 1) === 0 ? \random_int(0, 199) : 1000 + \random_int(0, 499)) * 4 + $mine;
/** @var array<int, string> $rows */
$rows = [];
\stream_set_blocking(\STDIN, false);
for ($i = 0; \fgets(\STDIN) === false && !\feof(\STDIN); ++$i) {
    $one = $id();
    $other = $id();
    $replace = static fn(int $id, string $name): int => $db->exec("REPLACE INTO t (id, name) VALUES ($id, '$name')");
    $written = match (\random_int(0, 9)) {
        0 => [$one => '-'],
        1 => [$one => "s$i", $other => "s$i"],
        2 => [$one => "x$i", $other => "x$i"],
        default => [$one => "v$i"],
    };
    // What another process locks in another order is tried again, as any program has to.
    do {
        $isDone = true;
        try {
            if (\count($written) === 2) {
                $db->beginTransaction($written[$one][0] === 'x' ? TransactionMode::Xa : TransactionMode::Ordered);
            }
            foreach ($written as $at => $name) {
                $name === '-' ? $db->exec("DELETE FROM t WHERE id = $at") : $replace($at, $name);
            }
            if (\count($written) === 2) {
                $db->commit();
            }
        } catch (\PDOException $error) {
            $isDone = $error->getCode() !== '40001' ? throw $error : false;
            if ($db->inTransaction()) {
                $db->rollBack();
            }
        }
    } while (!$isDone);
    if ($i % 20 === 0 && $mine === 0) {
        $db->exec("REPLACE INTO r VALUES ('" . \chr(97 + $i % 26) . "')");
    }
    foreach ($written as $at => $name) {
        $rows[$at] = $name;
        echo "$at $name\n";
    }
    $at = \array_rand($rows);
    $found = $db->query("SELECT name FROM t WHERE id = $at")->fetchColumn();
    if ($found !== ($rows[$at] === '-' ? false : $rows[$at])) {
        \fwrite(\STDERR, "row $at is " . \json_encode($found) . " and not {$rows[$at]}\n");
        exit(1);
    }
}
