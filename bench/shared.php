<?php

declare(strict_types=1);

// What state that processes share costs: php shared.php table|counter|apcu|redis <count> [port]
// One process sets, reads and increments, under a thousand keys. Prints one line of JSON, in nanoseconds.

use Sluice\Shared\{Counter, Table};

const KEYS = 1000;

[, $what, $count] = $argv;
$count = (int) $count;
$keys = array_map(fn (int $i) => "key:$i", range(0, KEYS - 1));
$value = str_repeat('x', 100);

/** Wall-clock time for each of $count: of Redis most is spent elsewhere. */
function each(int $count, callable $one): float
{
    $before = hrtime(true);
    for ($i = 0; $i < $count; ++$i) {
        $one($i % KEYS);
    }
    return (hrtime(true) - $before) / $count;
}

if ($what === 'counter') {
    $counter = new Counter('counter');
    echo json_encode(['increment' => each($count, fn () => $counter->add())]);
    exit;
}
if ($what === 'redis') {
    $redis = new Redis();
    $redis->connect('127.0.0.1', (int) $argv[3]);
}
$table = $what === 'table' ? new Table('table', 16 << 20) : null;
[$set, $get, $increment] = match ($what) {
    'table' => [fn (int $i) => $table->set($keys[$i], $value), fn (int $i) => $table->get($keys[$i]), fn () => $table->increment('n')],
    'apcu' => [fn (int $i) => apcu_store($keys[$i], $value), fn (int $i) => apcu_fetch($keys[$i]), fn () => apcu_inc('n')],
    'redis' => [fn (int $i) => $redis->set($keys[$i], $value), fn (int $i) => $redis->get($keys[$i]), fn () => $redis->incr('n')],
};
echo json_encode(['set' => each($count, $set), 'get' => each($count, $get), 'increment' => each($count, $increment)]);
