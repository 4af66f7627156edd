--TEST--
set_error_handler() and set_exception_handler() belong to the coroutine that calls them, and to those that it spawns
--EXTENSIONS--
sluice
--FILE--
<?php
use function Sluice\Coroutine\{all, run, spawn, timeout};

set_error_handler(fn ($level, $message) => print("outside: $message\n"));
set_exception_handler(fn () => null);

echo "-- each its own, also while its handler waits\n";
run(function () {
    $seen = all(...array_map(fn ($i) => function () use ($i) {
        $seen = [];
        set_error_handler(function ($level, $message) use (&$seen) { usleep(1000); $seen[] = "first $message"; });
        trigger_error("$i");
        set_error_handler(function ($level, $message) use (&$seen) { usleep(500); $seen[] = "second $message"; });
        usleep(100);
        trigger_error("$i");
        restore_error_handler();
        usleep(100);
        trigger_error("$i");
        return $seen;
    }, range(0, 9)));
    foreach ($seen as $i => $messages)
        if ($messages !== ["first $i", "second $i", "first $i"]) echo "$i: ", json_encode($messages), "\n";
    trigger_error('in another one');
});
trigger_error('afterwards');

echo "-- what is restored or left behind is nobody else's\n";
run(function () {
    all(
        function () { restore_error_handler(); restore_error_handler(); usleep(1000); restore_exception_handler(); },
        function () { set_error_handler(fn () => true); set_error_handler(fn () => true); usleep(1000); },
        function () { set_exception_handler(fn () => true); usleep(1000); restore_exception_handler(); },
        function () { usleep(500); trigger_error('meanwhile'); },
    );
    usleep(2000);
    all(fn () => trigger_error('next'), fn () => usleep(100) ?? trigger_error('next'));
});
trigger_error('afterwards');

echo "-- those that it spawns\n";
run(function () {
    set_error_handler(fn ($level, $message) => print("inherited: $message\n"));
    timeout(1, function () {
        trigger_error('in timeout()');
        usleep(100);
        spawn(fn () => usleep(100) ?? trigger_error('further down'))->await();
    });
    spawn(function () { restore_error_handler(); usleep(100); })->await();
    trigger_error('still');
});

echo "-- error_reporting()\n";
run(function () {
    $first = spawn(function () { error_reporting(0); usleep(1000); return error_reporting(); });
    usleep(100);
    $second = spawn(fn () => error_reporting());
    var_dump([$first->await(), $second->await() === E_ALL, spawn(fn () => error_reporting())->await() === E_ALL]);
});
error_reporting(E_ALL);

echo "-- as it is without coroutines\n";
run(function () {
    $own = fn ($level, $message) => print("own: $message\n");
    var_dump(set_error_handler($own) instanceof Closure);
    var_dump(set_error_handler(null) === $own);
    restore_error_handler();
    restore_error_handler();
    trigger_error('restored');
});
restore_error_handler();
var_dump(set_error_handler(null));
?>
--EXPECT--
-- each its own, also while its handler waits
outside: in another one
outside: afterwards
-- what is restored or left behind is nobody else's
outside: meanwhile
outside: next
outside: next
outside: afterwards
-- those that it spawns
inherited: in timeout()
inherited: further down
inherited: still
-- error_reporting()
array(3) {
  [0]=>
  int(0)
  [1]=>
  bool(true)
  [2]=>
  bool(true)
}
-- as it is without coroutines
bool(true)
bool(true)
outside: restored
NULL
