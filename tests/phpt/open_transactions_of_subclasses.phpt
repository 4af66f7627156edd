--TEST--
A transaction open on a connection of a driver's own class, such as Pdo\Sqlite, belongs to the coroutine that has begun it
--EXTENSIONS--
sluice
pdo
pdo_sqlite
--SKIPIF--
<?php if (!class_exists('Pdo\Sqlite')) die('skip drivers have classes of their own since PHP 8.4'); ?>
--FILE--
<?php
use Sluice\Coroutine\ConcurrentUseException;
use function Sluice\Coroutine\{run, sleep, spawn};

foreach ([fn () => new Pdo\Sqlite('sqlite::memory:'), fn () => PDO::connect('sqlite::memory:')] as $connect) {
    run(function () use ($connect) {
        $db = $connect();
        $db->exec('CREATE TABLE names (name TEXT)');
        $first = spawn(function () use ($db) {
            $db->beginTransaction();
            sleep(0.01);
            $db->rollBack();
        });
        sleep(0.001);
        try {
            $db->exec("INSERT INTO names VALUES ('lost')");
            echo "allowed\n";
        } catch (ConcurrentUseException $e) {
            echo 'refused: ', $db::class, "\n";
        }
        $first->await();
    });
}
?>
--EXPECT--
refused: Pdo\Sqlite
refused: Pdo\Sqlite
