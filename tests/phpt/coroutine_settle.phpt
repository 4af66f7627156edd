--TEST--
settle() waits for all and gives each one's value or error; when its caller is cancelled, all are
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Coroutine\{CancelledError, Outcome};
use function Sluice\Coroutine\{run, settle, sleep, spawn};

run(function () {
    $most = $now = 0;
    $work = function (mixed $value) use (&$most, &$now) {
        $most = max($most, ++$now);
        sleep(0.01);
        --$now;
        return $value instanceof Throwable ? throw $value : $value;
    };
    $outcomes = settle(
        fn () => $work(1),
        fn () => $work(new LogicException('fails')),
        null: fn () => $work(null),
        error: fn () => $work(new Error('worse')),
    );
    echo "$most at once\n";
    foreach ($outcomes as $key => $outcome) {
        echo $key, ' ', json_encode([$outcome->succeeded(), $outcome->value]), ' ', $outcome->error?->getMessage(), "\n";
        attempt("get $key", fn () => $outcome->get());
        attempt("get $key again", fn () => $outcome->get());
    }
    var_dump(settle());

    echo "-- results stay when the outcome goes\n";
    $object = settle(fn () => (object) ['a' => [1, 2]])[0]->get();
    $reference = settle(function &() { static $text = 'text'; return $text; })[0]->value;
    echo json_encode($object), " $reference\n";
    $thrown = new Exception('kept');
    $outcome = settle(fn () => throw $thrown)[0];
    var_dump($outcome->error === $thrown);

    echo "-- the caller is cancelled\n";
    $task = spawn(function () {
        try {
            settle(function () { try { sleep(60); } finally { echo "first ended\n"; } }, fn () => 'done');
            echo "never\n";
        } catch (CancelledError $error) {
            echo get_class($error), "\n";
        }
    });
    sleep(0.01);
    $task->cancel();
    $task->await();

    echo "-- cycles are collected\n";
    gc_collect_cycles();
    $outcome = settle(fn () => new ArrayObject())[0];
    $outcome->value[] = $outcome;
    unset($outcome);
    var_dump(gc_collect_cycles() >= 2);

    attempt('assign', fn () => settle(fn () => 1)[0]->value = 2);
    attempt('new', fn () => new Outcome());
    attempt('no callable', fn () => settle(fn () => 1, 'nothing'));
});
attempt('outside', fn () => settle(fn () => 1));
?>
--EXPECT--
4 at once
0 [true,1] 
get 0: fine
get 0 again: fine
1 [false,null] fails
LogicException: fails
LogicException: fails
null [true,null] 
get null: fine
get null again: fine
error [false,null] worse
Error: worse
Error: worse
array(0) {
}
-- results stay when the outcome goes
{"a":[1,2]} text
bool(true)
-- the caller is cancelled
first ended
Sluice\Coroutine\CancelledError
-- cycles are collected
bool(true)
Error: Cannot modify readonly property Sluice\Coroutine\Outcome::$value
Error: Call to private Sluice\Coroutine\Outcome::__construct() from global scope
TypeError: Sluice\Coroutine\settle(): Argument #2 must be a valid callback, string given
Error: Sluice\Coroutine\settle() has to wait, and cannot here: call it in a coroutine - under Sluice\Coroutine\run(), or in a worker
