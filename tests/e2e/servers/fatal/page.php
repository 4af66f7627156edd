<?php

// A page that ends as $_GET['how'] says.

$visitor = $_GET['how'] ?? 'nobody';
register_shutdown_function(function () {
    global $visitor;
    echo "\nshutdown of $visitor after " . (error_get_last()['type'] ?? 'nothing') . "\n";
});
final class Visit
{
    public function __destruct()
    {
        echo "destructor\n";
    }
}
$visit = new Visit();
echo "hello $visitor";
switch ($visitor) {
    case 'memory':
        $text = str_repeat('x', 64 << 20);
        break;
    case 'parts':
        for ($parts = []; true; $parts[] = str_repeat('x', 1000)) {
        }
        // no break
    case 'twice':
        require __DIR__ . '/functions.php';
        require __DIR__ . '/functions.php';
        break;
    case 'fiber':
        (new Fiber(fn() => str_repeat('x', 64 << 20)))->start();
        break;
    case 'autoload':
        spl_autoload_register(fn() => str_repeat('x', 64 << 20));
        new MissingClass();
        break;
    case 'sort':
        $values = range(1, 10);
        usort($values, fn() => strlen(str_repeat('x', 64 << 20)));
        break;
    case 'callback':
        ob_start(fn() => str_repeat('x', 64 << 20));
        echo 'in a buffer';
        break;
    case 'begins':
        ob_start(fn() => ob_start() . 'never');
        echo 'in a buffer';
        break;
    case 'shutdown':
        register_shutdown_function(fn() => str_repeat('x', 64 << 20));
        break;
    case 'waits':
        usleep(1000 * (int) $_GET['ms']);
        echo ' after a while';
        break;
}
