--TEST--
A server that is made but does not run yet survives SIGHUP and SIGUSR1; handlers of the script stay
--EXTENSIONS--
sluice
pcntl
posix
--FILE--
<?php
pcntl_signal(SIGUSR1, fn () => print("my own\n"));
new Sluice\Server();
posix_kill(getmypid(), SIGHUP);
posix_kill(getmypid(), SIGUSR1);
pcntl_signal_dispatch();
echo "alive\n";
?>
--EXPECT--
my own
alive
