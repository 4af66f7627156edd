--TEST--
A connection with an open transaction belongs to the coroutine that has begun it, and to those that it spawns
--EXTENSIONS--
sluice
pdo
pdo_sqlite
--FILE--
<?php
use Sluice\Coroutine\ConcurrentUseException;
use function Sluice\Coroutine\{all, run, sleep, spawn, timeout};

function database(): PDO
{
    $db = new PDO('sqlite::memory:');
    $db->exec('CREATE TABLE names (name TEXT)');
    return $db;
}
function names(PDO $db): string
{
    return implode(' ', $db->query('SELECT name FROM names ORDER BY name')->fetchAll(PDO::FETCH_COLUMN));
}
function attempt(callable $what): void
{
    try {
        $what();
        echo "allowed\n";
    } catch (ConcurrentUseException $e) {
        echo preg_replace('~ at \S*/(\w+\.phpt?:)~', ' at $1', $e->getMessage()), "\n";
    }
}

echo "-- another's call does not become part of it\n";
run(function () {
    $db = database();
    $insert = $db->prepare('INSERT INTO names VALUES (?)');
    $first = spawn(function () use ($db) {
        $db->beginTransaction();
        $db->exec("INSERT INTO names VALUES ('rolled back')");
        sleep(0.02);
        $db->rollBack();
    });
    sleep(0.005);
    attempt(fn () => $db->exec("INSERT INTO names VALUES ('lost')"));
    attempt(fn () => $insert->execute(['lost, too']));
    attempt(fn () => $db->commit());
    $first->await();
    attempt(fn () => $insert->execute(['kept']));
    echo names($db), "\n";
});

echo "-- those that it spawns are part of it\n";
run(function () {
    $db = database();
    $db->beginTransaction();
    timeout(1, fn () => $db->exec("INSERT INTO names VALUES ('a')"));
    all(fn () => timeout(1, function () use ($db) { sleep(0.001); $db->exec("INSERT INTO names VALUES ('b')"); }));
    timeout(1, fn () => $db->commit());
    timeout(1, fn () => $db->beginTransaction());
    echo names($db), "\n";
    $db->rollBack();
});

echo "-- who has ended has lost it\n";
run(function () {
    $db = database();
    spawn(function () use ($db) { $db->beginTransaction(); $db->exec("INSERT INTO names VALUES ('left')"); })->await();
    attempt(fn () => $db->rollBack());
    echo names($db), "\n";
});

echo "-- each his own\n";
run(function () {
    all(...array_map(fn ($i) => function () use ($i) {
        $db = database();
        $db->beginTransaction();
        sleep(0.001);
        $db->exec("INSERT INTO names VALUES ('$i')");
        sleep(0.001);
        $db->commit();
        if (names($db) !== "$i") echo "$i: ", names($db), "\n";
    }, range(0, 9)));
    echo "done\n";
});
?>
--EXPECT--
-- another's call does not become part of it
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:30, and PDO->exec() at open_transactions.php:36 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:30, and PDOStatement->execute() at open_transactions.php:37 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:30, and PDO->commit() at open_transactions.php:38 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
allowed
kept
-- those that it spawns are part of it
a b
-- who has ended has lost it
allowed

-- each his own
done
