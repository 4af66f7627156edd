--TEST--
usleep() sleeps as long as it says, where PHP would take its number modulo 2^32
--FILE--
<?php
use Sluice\Coroutine;

Coroutine\run(function (): void {
    foreach ([2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 10 ** 13] as $microseconds) {
        try {
            Coroutine\timeout(0.01, fn() => usleep($microseconds));
            echo "it returned\n";
        } catch (Coroutine\TimeoutException) {
            echo "it sleeps\n";
        }
    }
});
try {
    usleep(-1);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
it sleeps
it sleeps
it sleeps
it sleeps
usleep(): Argument #1 ($microseconds) must be greater than or equal to 0
