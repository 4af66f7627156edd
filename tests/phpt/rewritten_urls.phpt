--TEST--
output_add_rewrite_var() belongs to the coroutine that calls it: pages of others have none of its variables, also after its end
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
echo 'done';
?>
--EXPECT--
done
