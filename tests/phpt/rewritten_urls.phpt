--TEST--
output_add_rewrite_var() would rewrite the pages of all coroutines, and is refused in them
--EXTENSIONS--
sluice
--FILE--
<?php
use function Sluice\Coroutine\run;

run(function () {
    try {
        output_add_rewrite_var('name', 'value');
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
});
var_dump(output_add_rewrite_var('name', 'value'));
?>
--EXPECT--
output_add_rewrite_var() rewrites the pages of all requests of a process, and cannot be called in a coroutine: write the variable into the page's links and forms, or give the site or route Sluice\Http\Options::$processes
bool(true)
