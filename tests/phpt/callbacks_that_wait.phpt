--TEST--
Each function of PHP's own that takes a callable gives ten coroutines, whose callbacks wait, what it gives them without waiting
--EXTENSIONS--
sluice
sqlite3
xml
--FILE--
<?php
require __DIR__ . '/compare.inc';
require __DIR__ . '/callbacks.inc';

$recipes = recipes();
$excused = array_merge(...array_values(NOT_CALLED));
$called = 0;
foreach (functions_that_call_back() as $function) {
    if (in_array($function, $excused, true)) continue;
    if (!isset($recipes[$function])) {
        echo "$function takes a callable and is unknown here: add it to tests/phpt/callbacks.inc\n";
        continue;
    }
    ++$called;
    $difference = difference($recipes[$function]);
    if ($difference) echo "$function: $difference\n";
}
echo $called > 40 ? 'done' : "only $called were called", "\n";
?>
--EXPECT--
done
