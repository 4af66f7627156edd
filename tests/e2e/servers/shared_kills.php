<?php

declare(strict_types=1);

// Four processes change what they share until there are as many changes and kills as asked for, and are killed at random meanwhile:
// php shared_kills.php CHANGES KILLS. Prints what is to be right afterwards.

use Sluice\Shared\{Counter, FullException, Lock, Table};

const WORKERS = 4;
const BYTES = 1 << 20;

[, $changes, $kills] = array_map(intval(...), $argv);
$table = new Table('table', BYTES);
$lock = new Lock('lock');
$done = new Counter('done');
$noted = array_map(fn (int $i) => new Counter("noted$i"), range(1, WORKERS));
$noted_inside = array_map(fn (int $i) => new Counter("inside$i"), range(1, WORKERS));
$torn = new Counter('torn');
$killed = new Counter('killed');
$table->set('inside', 0);

$work = function (int $i) use ($table, $lock, $done, $noted, $noted_inside, $torn, $killed, $changes, $kills): never {
    mt_srand(hrtime(true));
    while ($done->add() <= $changes || $killed->get() < $kills) {
        $key = 'k' . mt_rand(0, 999);
        $table->increment('sum');
        $noted[$i]->add();
        try {
            match (mt_rand(0, 3)) {
                0 => $table->set($key, str_repeat(chr(mt_rand(97, 122)), mt_rand(0, 1500))),
                1 => $table->remove($key),
                2 => $table->compareAndSet($key, null, 'x'),
                3 => 0,
            };
        } catch (FullException) {
        }
        $value = $table->get($key, '');
        if ($value !== '' && $value !== str_repeat($value[0], strlen($value))) {
            $torn->add();
        }
        if (mt_rand(0, 99) === 0) {
            $lock->use(function () use ($table, $noted_inside, $i): void {
                $table->set('inside', $table->get('inside') + 1);
                $noted_inside[$i]->add();
            });
        }
    }
    exit;
};

$workers = [];
$begin = fn (int $i) => ($pid = pcntl_fork()) === 0 ? $work($i) : $pid;
for ($i = 0; $i < WORKERS; ++$i) {
    $workers[$i] = $begin($i);
}
while ($killed->get() < $kills) {
    usleep(mt_rand(0, 1000));
    posix_kill($workers[$i = mt_rand(0, WORKERS - 1)], SIGKILL);
    pcntl_waitpid($workers[$i], $status);
    $workers[$i] = $begin($i);
    $killed->add();
}
$statuses = [];
foreach ($workers as $pid) {
    pcntl_waitpid($pid, $status);
    $statuses[] = $status;
}
$stats = $table->stats();
echo json_encode([
    'statuses' => $statuses,
    'sum' => $table->get('sum'),
    'noted' => array_sum(array_map(fn (Counter $counter) => $counter->get(), $noted)),
    'inside' => $table->get('inside'),
    'noted inside' => array_sum(array_map(fn (Counter $counter) => $counter->get(), $noted_inside)),
    'torn' => $torn->get(),
    'held' => $lock->isHeld(),
    'repaired' => $stats->repaired,
    'entries' => $stats->entries,
    'listed' => count($table->listKeys()),
    'used' => $stats->usedBytes,
    'bytes' => $stats->bytes,
]), "\n";
