--TEST--
Nobody waits while output_add_rewrite_var() rewrites a page: others have none of its variables, also after its end, however it ends
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/compare.inc';

use function Sluice\Coroutine\{run, spawn};

function page(array $variables): string
{
    ob_start();
    foreach ($variables as $name => $value) {
        output_add_rewrite_var($name, $value);
        wait();
        echo "<form action='page.php'><p>$name</p>";
        wait();
    }
    while (ob_get_level() > 1) ob_end_flush();
    return ob_get_clean();
}

$waits = true;
run(function () {
    $tasks = [];
    for ($i = 0; $i < 10; ++$i) $tasks[] = spawn(fn () => page(["a$i" => "$i", 'b' => "of$i"]));
    foreach ($tasks as $i => $task) {
        $seen = $task->await();
        $input = fn ($name, $value) => "<input type=\"hidden\" name=\"$name\" value=\"$value\" />";
        // All variables are known when the page is rewritten, at its end.
        $form = "<form action='page.php'>" . $input("a$i", $i) . $input('b', "of$i");
        if ($seen !== "$form<p>a$i</p>$form<p>b</p>") echo "$i: $seen\n";
    }
});

/** What ends a page while its URLs are being rewritten; each in a process of its own. */
function ends(string $code): void
{
    $code = "use function Sluice\\Coroutine\\run; $code";
    exec(escapeshellarg(getenv('TEST_PHP_EXECUTABLE')) . ' -n -r ' . escapeshellarg($code) . ' 2>&1', $lines, $status);
    echo $status, ': ', str_contains(implode($lines), '<form') ? 'whole' : 'not whole', "\n";
}
ends("run(function () { output_add_rewrite_var('a', '1'); echo '<form>'; exit(0); });");
ends("run(function () { output_add_rewrite_var('a', '1'); ob_start(fn () => throw new Exception('thrown')); echo 'x'; });");
ends("output_add_rewrite_var('a', '1'); run(function () { echo '<form>'; ob_flush(); exit(0); });");
ends("output_add_rewrite_var('a', '1'); run(function () { usleep(1); }); echo '<form>';");
echo 'done';
?>
--EXPECT--
0: whole
255: not whole
0: whole
0: whole
done
