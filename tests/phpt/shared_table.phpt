--TEST--
Shared\Table and Shared\Counter: what they keep, and what they refuse
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Shared\{Counter, Table};

final class Point
{
    public function __construct(public int $x = 0, public ?Point $next = null) {}
    public function __wakeup(): void { global $table; $table->get('string'); }
}

$table = new Table('things', 65536);
echo "-- values\n";
foreach ([null, true, false, -7, PHP_INT_MAX, 1.5, -0.0, '', "a\0b", str_repeat('x', 1000), [1, ['a' => null]], new Point(1, new Point(2))] as $value) {
    $table->set('value', $value);
    $kept = $table->get('value', 'nothing');
    if ($kept !== $value && (!is_object($value) || $kept != $value)) {
        var_dump($value, $kept);
    }
}
$table->set('nan', NAN);
var_dump(is_nan($table->get('nan')), $table->get('none'), $table->get('none', 5), $table->has('none'), $table->has('nan'));
$reference = 5;
$other = &$reference;
$table->set('reference', $other);
var_dump($table->get('reference'));

echo "-- conditions\n";
var_dump($table->add('a', 1), $table->add('a', 2), $table->get('a'));
var_dump($table->compareAndSet('a', '1', 3), $table->compareAndSet('a', 1, [3]), $table->compareAndSet('a', [3], 4), $table->get('a'));
var_dump($table->compareAndSet('b', 0, 1), $table->compareAndSet('b', null, 1), $table->compareAndSet('b', null, 2), $table->get('b'));
var_dump($table->compareAndRemove('b', 2), $table->compareAndRemove('b', 1), $table->compareAndRemove('b', null), $table->has('b'));
var_dump($table->increment('n'), $table->increment('n', 41), $table->increment('n', -2));
var_dump($table->update('n', fn(?int $n) => $n * 2), $table->update('new', fn(?int $n) => [$n]), $table->get('new'));
// The value is changed meanwhile, once.
$calls = 0;
var_dump($table->update('n', function (int $n) use ($table, &$calls) {
    if (++$calls === 1) {
        $table->increment('n');
    }
    return $n + 100;
}), $calls);
var_dump($table->remove('n'), $table->remove('n'));

echo "-- time\n";
$table->set('short', 1, 0.001);
$table->increment('count', 1, 0.001);
usleep(3000);
var_dump($table->has('short'), $table->increment('count', 1, 60), $table->add('short', 2));

echo "-- all\n";
$keys = $table->listKeys();
sort($keys);
echo implode(' ', $keys), "\n";
$table->set('user:1', 1);
$table->set('user:2', 2);
$keys = $table->listKeys('user:');
sort($keys);
echo implode(' ', $keys), ' of ', count($table), "\n";
$stats = $table->stats();
var_dump($stats->entries === count($table), $stats->usedBytes < $stats->bytes, $stats->bytes < 65536, $stats->evicted, $stats->repaired);
$again = new Table('things', 65536);
var_dump($again->get('user:1'));
$again->clear();
var_dump(count($table), $table->get('user:1'));

echo "-- full\n";
attempt('refuses', function () use ($table) {
    for ($i = 0; ; ++$i) {
        $table->set("k$i", str_repeat('x', 500));
    }
});
$table->set('k0', str_repeat('y', 500));
$cache = new Table('cache', 65536, evict: true);
for ($i = 0; $i < 1000; ++$i) {
    $cache->set("k$i", str_repeat('x', 500));
}
var_dump($cache->has('k999'), $cache->has('k0'), count($cache) + $cache->stats()->evicted);

echo "-- refused\n";
attempt('name', fn() => new Table(''));
attempt('name', fn() => new Table('a b'));
attempt('name', fn() => new Table(str_repeat('x', 65)));
attempt('bytes', fn() => new Table('small', 65535));
attempt('bytes', fn() => new Table('large', (64 << 30) + 1));
attempt('options', fn() => new Table('things', 131072));
attempt('options', fn() => new Table('things', 65536, true));
attempt('again', fn() => $table->__construct('other'));
attempt('key', fn() => $table->get(''));
attempt('key', fn() => $table->set(str_repeat('x', 1025), 1));
attempt('seconds', fn() => $table->set('a', 1, 0.0));
attempt('seconds', fn() => $table->add('a', 1, NAN));
attempt('resource', fn() => $table->set('a', STDIN));
attempt('closure', fn() => $table->set('a', fn() => 1));
attempt('long', fn() => $table->set('a', str_repeat('x', 10000)));
$table->clear();
$table->set('text', 'x');
attempt('int', fn() => $table->increment('text'));
$table->set('most', PHP_INT_MAX);
attempt('range', fn() => $table->increment('most'));
attempt('update', fn() => $table->update('most', fn() => throw new DomainException('of mine')));
attempt('change', fn() => $table->update('most', fn($n) => $table->increment('most', -1)));
attempt('unmade', fn() => (new ReflectionClass(Table::class))->newInstanceWithoutConstructor()->get('a'));
attempt('clone', fn() => clone $table);
attempt('serialize', fn() => serialize($table));

echo "-- counters\n";
$counter = new Counter('hits');
var_dump($counter->get(), $counter->add(), $counter->add(41), (new Counter('hits'))->get(), $counter->add(-43));
var_dump($counter->compareAndSet(5, 6), $counter->compareAndSet(-1, PHP_INT_MAX), $counter->get());
attempt('range', fn() => $counter->add());
$counter->set(5);
attempt('name', fn() => new Counter('things'));
attempt('name', fn() => new Counter('hits?'));
attempt('again', fn() => $counter->__construct('other'));
attempt('unmade', fn() => (new ReflectionClass(Counter::class))->newInstanceWithoutConstructor()->get());
attempt('many', function () {
    for ($i = 0; $i < 100; ++$i) {
        new Counter("counter$i");
    }
});
?>
--EXPECTF--
-- values
bool(true)
NULL
int(5)
bool(false)
bool(true)
int(5)
-- conditions
bool(true)
bool(false)
int(1)
bool(false)
bool(true)
bool(true)
int(4)
bool(false)
bool(true)
bool(false)
int(1)
bool(false)
bool(true)
bool(false)
bool(false)
int(1)
int(42)
int(40)
int(80)
array(1) {
  [0]=>
  NULL
}
array(1) {
  [0]=>
  NULL
}
int(181)
int(2)
bool(true)
bool(false)
-- time
bool(false)
int(1)
bool(true)
-- all
a count nan new reference short value
user:1 user:2 of 9
bool(true)
bool(true)
bool(true)
int(0)
int(0)
int(1)
int(0)
NULL
-- full
Sluice\Shared\FullException: The shared table "things" has no room for "k%d": %d of its %d bytes are in use
bool(true)
bool(false)
int(1000)
-- refused
ValueError: Sluice\Shared\Table::__construct(): Argument #1 ($name) must be 1 to 64 letters, digits, dots, colons, dashes and underscores, "" given
ValueError: Sluice\Shared\Table::__construct(): Argument #1 ($name) must be 1 to 64 letters, digits, dots, colons, dashes and underscores, "a b" given
ValueError: Sluice\Shared\Table::__construct(): Argument #1 ($name) must be 1 to 64 letters, digits, dots, colons, dashes and underscores, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" given
ValueError: Sluice\Shared\Table::__construct(): Argument #2 ($bytes) must be between 65536 and 68719476736 bytes, 65535 given
ValueError: Sluice\Shared\Table::__construct(): Argument #2 ($bytes) must be between 65536 and 68719476736 bytes, 68719476737 given
ValueError: Sluice\Shared\Table::__construct(): Argument #1 ($name) must be a new name for a table of 131072 bytes: this script uses "things" for something else
ValueError: Sluice\Shared\Table::__construct(): Argument #1 ($name) must be a new name for a table of 65536 bytes that evicts: this script uses "things" for something else
Error: The table is constructed already
ValueError: Sluice\Shared\Table::get(): Argument #1 ($key) must have 1 to 1024 bytes, 0 given
ValueError: Sluice\Shared\Table::set(): Argument #1 ($key) must have 1 to 1024 bytes, 1025 given
ValueError: Sluice\Shared\Table::set(): Argument #3 ($seconds) must be between 0.001 and 1000000000 seconds, 0 given
ValueError: Sluice\Shared\Table::add(): Argument #3 ($seconds) must be between 0.001 and 1000000000 seconds, NAN given
TypeError: A resource belongs to one process, and cannot be shared
Exception: Serialization of 'Closure' is not allowed
ValueError: An entry of the shared table "things" has at most %d bytes with its key, and "a" would have 10001
TypeError: "text" in the shared table "things" is not an int
ArithmeticError: The sum of "most" in the shared table "things" is out of range
DomainException: of mine
Sluice\ServerException: "most" in the shared table "things" was changed by others 1000 times meanwhile
ReflectionException: Class Sluice\Shared\Table is an internal class marked as final that cannot be instantiated without invoking its constructor
Error: Trying to clone an uncloneable object of class Sluice\Shared\Table
Exception: Serialization of 'Sluice\Shared\Table' is not allowed
-- counters
int(0)
int(1)
int(42)
int(42)
int(-1)
bool(false)
bool(true)
int(9223372036854775807)
ArithmeticError: The sum of 9223372036854775807 and 1 is out of range
ValueError: Sluice\Shared\Counter::__construct(): Argument #1 ($name) must be a new name for a counter: this script uses "things" for something else
ValueError: Sluice\Shared\Counter::__construct(): Argument #1 ($name) must be 1 to 64 letters, digits, dots, colons, dashes and underscores, "hits?" given
Error: The counter is constructed already
ReflectionException: Class Sluice\Shared\Counter is an internal class marked as final that cannot be instantiated without invoking its constructor
Sluice\ServerException: A server has at most 100 shared tables, counters and locks
