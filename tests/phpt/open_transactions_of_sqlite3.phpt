--TEST--
A transaction open on a connection of the class SQLite3 belongs to the coroutine that has begun it, however it has begun it
--EXTENSIONS--
sluice
sqlite3
--FILE--
<?php
use Sluice\Coroutine\{Channel, ConcurrentUseException};
use function Sluice\Coroutine\{run, spawn};

final class Database extends SQLite3 {}

function database(): SQLite3
{
    $db = new Database(':memory:');
    $db->exec('CREATE TABLE names (name TEXT)');
    return $db;
}
function attempt(callable $what): string
{
    try {
        return json_encode($what());
    } catch (ConcurrentUseException $e) {
        preg_match('/since (\S+) at .*, and (\S+) at /', $e->getMessage(), $calls);
        return "refused: $calls[2] since $calls[1]";
    }
}

$begins = [
    fn ($db) => $db->exec('BEGIN'),
    fn ($db) => $db->query('BEGIN'),
    fn ($db) => $db->querySingle('BEGIN'),
    fn ($db) => $db->prepare('BEGIN')->execute(),
    fn ($db) => $db->exec('SAVEPOINT one'),
];
foreach ($begins as $begin) {
    run(function () use ($begin) {
        $db = database();
        $insert = $db->prepare("INSERT INTO names VALUES ('b')");
        [$begun, $end] = [new Channel(1), new Channel(1)];
        $first = spawn(function () use ($db, $begin, $begun, $end) {
            $begin($db);
            $db->exec("INSERT INTO names VALUES ('a')");
            spawn(fn () => $db->exec("INSERT INTO names VALUES ('of a child')"))->await();
            $begun->push(true);
            $end->pop();
            $db->exec('ROLLBACK');
        });
        $begun->pop();
        echo attempt(fn () => $db->exec("INSERT INTO names VALUES ('b')")), "\n";
        echo attempt(fn () => $insert->execute()), "\n";
        echo attempt(fn () => $db->querySingle('SELECT COUNT(*) FROM names')), "\n";
        echo attempt(fn () => [$db->lastErrorCode(), $insert->paramCount(), $db->escapeString("it's")]), "\n";
        $end->push(true);
        $first->await();
        echo attempt(fn () => $db->querySingle('SELECT COUNT(*) FROM names')), "\n";
    });
}

echo "-- one that is left is rolled back\n";
run(function () {
    $db = database();
    spawn(function () use ($db) { $db->exec('BEGIN'); $db->exec("INSERT INTO names VALUES ('left')"); })->await();
    echo attempt(fn () => $db->querySingle('SELECT COUNT(*) FROM names')), "\n";
    $db->exec('BEGIN');
    $db->close();
    $other = spawn(fn () => attempt(fn () => @$db->exec('SELECT 1')));
    try {
        $other->await();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
});
?>
--EXPECTF--
refused: SQLite3->exec() since SQLite3->exec()
refused: SQLite3Stmt->execute() since SQLite3->exec()
refused: SQLite3->querySingle() since SQLite3->exec()
[0,0,"it''s"]
0
refused: SQLite3->exec() since SQLite3->query()
refused: SQLite3Stmt->execute() since SQLite3->query()
refused: SQLite3->querySingle() since SQLite3->query()
[0,0,"it''s"]
0
refused: SQLite3->exec() since SQLite3->querySingle()
refused: SQLite3Stmt->execute() since SQLite3->querySingle()
refused: SQLite3->querySingle() since SQLite3->querySingle()
[0,0,"it''s"]
0
refused: SQLite3->exec() since SQLite3Stmt->execute()
refused: SQLite3Stmt->execute() since SQLite3Stmt->execute()
refused: SQLite3->querySingle() since SQLite3Stmt->execute()
[0,0,"it''s"]
0
refused: SQLite3->exec() since SQLite3->exec()
refused: SQLite3Stmt->execute() since SQLite3->exec()
refused: SQLite3->querySingle() since SQLite3->exec()
[0,0,"it''s"]
0
-- one that is left is rolled back
%swarning: The transaction that SQLite3->exec() at %sopen_transactions_of_sqlite3.php:%d has begun was still open at the end of its handler or coroutine. It has been rolled back: %s
0
Error: The SQLite3 object has not been correctly initialised or is already closed
