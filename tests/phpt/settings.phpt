--TEST--
Each setting of PHP's belongs to whom docs/isolation.md says: to the coroutine that makes it, or to the process
--EXTENSIONS--
sluice
mbstring
gettext
iconv
mysqlnd
mysqli
pcntl
posix
simplexml
sockets
--FILE--
<?php
require __DIR__ . '/settings.inc';

use Sluice\Coroutine\Channel;

use function Sluice\Coroutine\{run, spawn};

foreach (try_settings()[0] as $wrong) echo "$wrong\n";

echo "-- one sequence of random numbers for all\n";
mt_srand(42);
$alone = [mt_rand(), mt_rand()];
run(function () use ($alone) {
    $drawn = new Channel();
    $seeds = spawn(function () use ($drawn) { mt_srand(42); $drawn->pop(); return mt_rand(); });
    $draws = spawn(function () use ($drawn) { $number = mt_rand(); $drawn->push(true); return $number; });
    var_dump([$draws->await(), $seeds->await()] === $alone);
});

echo "-- what one registers for the end of the script is called there\n";
run(fn () => register_shutdown_function(fn () => print("at the end\n")));

echo "-- an object whose __get() waits has no such property for the others, meanwhile\n";
run(function () {
    $shared = new class (new Channel(1)) {
        public function __construct(public readonly Channel $go) {}
        public function __get($name) { $this->go->pop(); return "its $name"; }
    };
    $one = spawn(fn () => $shared->value);
    spawn(function () use ($shared) { var_dump(@$shared->value); $shared->go->push(true); })->await();
    var_dump($one->await());
    $shared->go->push(true);
    var_dump($shared->value);
});
?>
--EXPECT--
-- one sequence of random numbers for all
bool(true)
-- what one registers for the end of the script is called there
-- an object whose __get() waits has no such property for the others, meanwhile
NULL
string(9) "its value"
string(9) "its value"
at the end
