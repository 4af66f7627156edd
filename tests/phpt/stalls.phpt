--TEST--
A call that holds all coroutines up for longer than stallSeconds: the log says once where it stands, and how long it took
--EXTENSIONS--
sluice
pcntl
--INI--
sluice.hooks=none
--FILE--
<?php
use Sluice\Coroutine;

function held(string $name, callable $main, float $seconds = 0.05): void
{
    echo "$name\n";
    Coroutine\run($main, stallSeconds: $seconds);
}

function spin(float $seconds): void
{
    for ($end = microtime(true) + $seconds; microtime(true) < $end;);
}

final class Report
{
    public static function write(): void
    {
        // In a call of C no code of PHP's runs.
        usleep(600_000);
    }
}

held('computes', fn () => spin(0.6));
held('blocks', fn () => Report::write());
held('calls back', function () {
    $items = range(1, 20);
    usort($items, function ($a, $b) {
        usleep(10_000);
        return $a <=> $b;
    });
});
held('twice', function () {
    Coroutine\spawn(fn () => spin(0.6))->await();
    spin(0.6);
});
held('many short ones', function () {
    for ($count = 0; $count < 60; $count++) {
        spin(0.001);
        Coroutine\sleep(0.001);
    }
}, 5);
held('nobody watches', fn () => usleep(300_000), 0);
held('in a fork', function () {
    $child = pcntl_fork();
    if ($child === 0) {
        exit(3);
    }
    pcntl_waitpid($child, $status);
    echo pcntl_wexitstatus($status), "\n";
}, 10);
foreach ([-1, NAN, 1e10] as $seconds) {
    try {
        Coroutine\run(fn () => null, stallSeconds: $seconds);
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
?>
--EXPECTF--
computes
%s warning: A call has held up all other coroutines for %f s and goes on (stallSeconds). It stands in %sstalls.php:%d
%A#%d %sstalls.php(%d): spin()
#%d [internal function]: {closure%S}()
#%d %a
%s warning: The call that held up all other coroutines has ended after %f s
blocks
%s warning: A call has held up all other coroutines for %f s and goes on (stallSeconds). It stands in %sstalls.php:20
#0 %sstalls.php(20): usleep()
#1 %sstalls.php(%d): Report::write()
#2 [internal function]: {closure%S}()
#3 %a
%s warning: The call that held up all other coroutines has ended after %f s
calls back
%s warning: A call has held up all other coroutines for %f s and goes on (stallSeconds). It stands in %a
%s warning: The call that held up all other coroutines has ended after %f s
twice
%s warning: A call has held up all other coroutines for %f s and goes on%a
%s warning: The call that held up all other coroutines has ended after %f s
%s warning: A call has held up all other coroutines for %f s and goes on%a
%s warning: The call that held up all other coroutines has ended after %f s
many short ones
nobody watches
in a fork
3
Sluice\Coroutine\run(): Argument #4 ($stallSeconds) must be between 0 and 1e9 seconds, -1 given
Sluice\Coroutine\run(): Argument #4 ($stallSeconds) must be between 0 and 1e9 seconds, NAN given
Sluice\Coroutine\run(): Argument #4 ($stallSeconds) must be between 0 and 1e9 seconds, 10000000000 given
