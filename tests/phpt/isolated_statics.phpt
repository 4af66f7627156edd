--TEST--
isolate() makes static properties belong to a request: to a handler or asRequest(), and to what it spawns
--EXTENSIONS--
sluice
--FILE--
<?php
use function Sluice\Coroutine\{all, asRequest, isolate, run, spawn};
use Sluice\Coroutine;

class Base
{
    public static string $name = 'boot';
    protected static ?array $list = ['boot'];
    public static int $shared = 0;
    public static function add(string $what): void { self::$list[] = $what; }
    public static function list(): string { return implode(',', self::$list); }
}
class Child extends Base {}
class Redeclares extends Base { public static string $name = 'own'; }
final class Typed
{
    private static int $number;
    public static ?object $object = null;
    public static function set(int $number): void { self::$number = $number; }
    public static function get(): string { return isset(self::$number) ? (string) self::$number : 'unset'; }
    public static function &reference(): int { return self::$number; }
}
final class Ends
{
    public function __construct(private string $name) {}
    public function __destruct() { echo "{$this->name} ends, and sees ", Base::$name, "\n"; }
}

Base::add('changed at boot');
isolate(Base::class, 'name', 'list');
isolate(Base::class, 'name');
isolate(Typed::class);

echo "-- each its own, from the boot's on\n";
run(function () {
    $one = fn (string $name) => fn () => asRequest(function () use ($name) {
        $before = Base::$name . ' ' . Base::list() . ' ' . Typed::get();
        Child::$name = $name;
        Base::add($name);
        Typed::set(ord($name));
        Base::$shared++;
        Coroutine\sleep(0);
        [$a, $b] = all(fn () => Base::$name . (Base::$name .= '+'), fn () => Base::$name . Coroutine\sleep(0) . Child::$name);
        Coroutine\sleep(0.001);
        return "$before | " . Base::$name . ' ' . Child::$name . ' ' . Redeclares::$name . ' ' . Base::list() . ' ' . Typed::get() . " | $a $b";
    });
    echo implode("\n", all($one('a'), $one('b'), $one('c'))), "\n";
    echo 'outside: ', Base::$name, ' ', Base::list(), ' ', Typed::get(), ', shared ', Base::$shared, "\n";
});

echo "-- what is set outside is what the next begin with\n";
run(function () {
    Base::$name = 'later';
    $seen = all(fn () => asRequest(fn () => Base::$name), fn () => Base::$name);
    echo implode(' ', $seen), "\n";
    asRequest(function () {
        Base::$name = 'outer';
        asRequest(function () { echo 'within: ', Base::$name, "\n"; Base::$name = 'inner'; });
        echo Base::$name, "\n";
    });
    echo Base::$name, "\n";
});
asRequest(function () { Base::$name = 'without coroutines'; });
echo Base::$name, "\n";

echo "-- what outlives the request that has begun it\n";
run(function () {
    $task = asRequest(function () {
        Base::$name = 'mine';
        return spawn(function () { Coroutine\sleep(0.002); return Base::$name; });
    });
    all(...array_fill(0, 5, fn () => asRequest(function () { Base::$name = 'another'; Coroutine\sleep(0.001); })));
    echo $task->await(), ' ', Base::$name, "\n";
});

echo "-- references\n";
run(function () {
    $one = fn (int $number) => fn () => asRequest(function () use ($number) {
        Typed::set(1);
        $reference = &Typed::reference();
        $name = &Base::$name;
        Coroutine\sleep(0);
        $reference = $number;
        $name = "n$number";
        Coroutine\sleep(0);
        try {
            $reference = 'no number';
        } catch (TypeError $error) {
            echo $error->getMessage(), "\n";
        }
        return Typed::get() . Base::$name;
    });
    echo implode(' ', all($one(7), $one(8))), ' ', Typed::get(), ' ', Base::$name, "\n";
    $outside = &Base::$name;
    asRequest(function () { Base::$name = 'not by the reference'; });
    $outside = 'by the reference';
    echo Base::$name, "\n";
});

echo "-- destructors at the end of a request\n";
run(function () {
    all(
        fn () => asRequest(function () { Base::$name = 'first'; Typed::$object = new Ends('first'); Coroutine\sleep(0.001); }),
        fn () => asRequest(function () { Base::$name = 'second'; Typed::$object = new Ends('second'); Coroutine\sleep(0.002); }),
    );
    try {
        asRequest(function () { Typed::$object = new class { public function __destruct() { throw new Exception('out of a destructor'); } }; });
    } catch (Exception $exception) {
        echo $exception->getMessage(), "\n";
    }
    echo var_export(Typed::$object, true), "\n";
});

echo "-- in Fibers of the application's own\n";
run(function () {
    $one = fn (string $name) => fn () => asRequest(function () use ($name) {
        $fiber = new Fiber(function () use ($name) {
            Base::$name = $name;
            usleep(1000);
            Fiber::suspend();
            return Base::$name;
        });
        $fiber->start();
        usleep(1000);
        $fiber->resume();
        return Base::$name . $fiber->getReturn();
    });
    echo implode(' ', all($one('x'), $one('y'), $one('z'))), ' ', Base::$name, "\n";
});

echo "-- cancelled, and exceptions\n";
run(function () {
    try {
        Coroutine\timeout(0.001, fn () => asRequest(function () { Base::$name = 'cancelled'; sleep(1); }));
    } catch (Coroutine\TimeoutException) {
        echo Base::$name, "\n";
    }
    try {
        asRequest(function () { Base::$name = 'thrown'; throw new Exception('of the function'); });
    } catch (Exception $exception) {
        echo $exception->getMessage(), ' ', Base::$name, "\n";
    }
    asRequest(function () {
        Base::$name = 'at the end';
        Typed::$object = new Ends('the last');
        exit;
    });
});
?>
--EXPECT--
-- each its own, from the boot's on
boot boot,changed at boot unset | a+ a+ own boot,changed at boot,a 97 | aa+ a+a+
boot boot,changed at boot unset | b+ b+ own boot,changed at boot,b 98 | bb+ b+b+
boot boot,changed at boot unset | c+ c+ own boot,changed at boot,c 99 | cc+ c+c+
outside: boot boot,changed at boot unset, shared 3
-- what is set outside is what the next begin with
later later
within: later
outer
later
later
-- what outlives the request that has begun it
mine later
-- references
Cannot assign string to reference held by property Typed::$number of type int
Cannot assign string to reference held by property Typed::$number of type int
7n7 8n8 unset later
by the reference
-- destructors at the end of a request
first ends, and sees first
second ends, and sees second
out of a destructor
NULL
-- in Fibers of the application's own
xx yy zz by the reference
-- cancelled, and exceptions
by the reference
of the function by the reference
the last ends, and sees at the end
