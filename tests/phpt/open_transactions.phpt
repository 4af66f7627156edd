--TEST--
A connection with an open transaction belongs to the coroutine that has begun it, and to those that it spawns
--EXTENSIONS--
sluice
pdo
pdo_sqlite
--FILE--
<?php
use Sluice\Coroutine\{Channel, ConcurrentUseException};
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

echo "-- who ends without ending it has it rolled back\n";
run(function () {
    $db = database();
    spawn(function () use ($db) { $db->beginTransaction(); $db->exec("INSERT INTO names VALUES ('left')"); })->await();
    attempt(fn () => var_dump($db->inTransaction()));
    echo names($db), "\n";
});

echo "-- when the last of those that it has spawned has ended\n";
run(function () {
    $db = database();
    $children = [];
    spawn(function () use ($db, &$children) {
        $db->beginTransaction();
        $children[] = spawn(function () use ($db, &$children) {
            $children[] = spawn(function () use ($db) {
                sleep(0.004);
                $db->exec("INSERT INTO names VALUES ('grandchild')");
            });
            $db->exec("INSERT INTO names VALUES ('child')");
        });
    })->await();
    attempt(fn () => $db->exec("INSERT INTO names VALUES ('lost')"));
    $children[0]->await();
    attempt(fn () => $db->exec("INSERT INTO names VALUES ('lost')"));
    $children[1]->await();
    attempt(fn () => $db->exec("INSERT INTO names VALUES ('kept')"));
    echo names($db), "\n";
});

echo "-- one whose connection has gone is gone\n";
run(function () {
    spawn(function () { $db = database(); $db->beginTransaction(); })->await();
    $kept = [];
    spawn(function () use (&$kept) { $kept[] = $db = database(); $db->beginTransaction(); $kept = []; })->await();
    echo "done\n";
});
$db = database();
run(fn () => $db->beginTransaction());
echo $db->commit() ? "that of run() is the script's\n" : '';

echo "-- also one that SQL has begun, or ended\n";
run(function () {
    $db = database();
    [$begun, $end] = [new Channel(1), new Channel(1)];
    $first = spawn(function () use ($db, $begun, $end) { $db->exec('BEGIN'); $begun->push(true); $end->pop(); $db->exec('ROLLBACK'); });
    $begun->pop();
    attempt(fn () => $db->exec("INSERT INTO names VALUES ('lost')"));
    $end->push(true);
    $first->await();
    attempt(fn () => $db->exec("INSERT INTO names VALUES ('kept')"));
    $first = spawn(function () use ($db, $begun, $end) { $db->beginTransaction(); $db->exec('COMMIT'); $begun->push(true); $end->pop(); });
    $begun->pop();
    attempt(fn () => $db->exec("INSERT INTO names VALUES ('kept')"));
    $end->push(true);
    $first->await();
    $db = database();
    spawn(fn () => $db->query('BEGIN'))->await();
    attempt(fn () => $db->beginTransaction());
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
--EXPECTF--
-- another's call does not become part of it
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:30, and PDO->exec() at open_transactions.php:36 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:30, and PDOStatement->execute() at open_transactions.php:37 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:30, and PDO->commit() at open_transactions.php:38 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
allowed
kept
-- those that it spawns are part of it
a b
-- who ends without ending it has it rolled back
%swarning: The transaction that PDO->beginTransaction() at %sopen_transactions.php:59 has begun was still open at the end of its handler or coroutine. It has been rolled back: end a transaction where it begins, or take the connection from a Sluice\Pool
bool(false)
allowed

-- when the last of those that it has spawned has ended
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:69, and PDO->exec() at open_transactions.php:78 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
Another coroutine has a transaction open on this connection, since PDO->beginTransaction() at open_transactions.php:69, and PDO->exec() at open_transactions.php:80 would become part of it: give each coroutine a connection of its own, as Sluice\Pool does
%swarning: The transaction that PDO->beginTransaction() at %sopen_transactions.php:69 has begun %s
allowed
kept
-- one whose connection has gone is gone
done
that of run() is the script's
-- also one that SQL has begun, or ended
Another coroutine has a transaction open on this connection, since PDO->exec() at open_transactions.php:%d, and PDO->exec() at %s would become part of it%s
allowed
allowed
%swarning: The transaction that PDO->query() at %s has begun %s
allowed
-- each his own
done
