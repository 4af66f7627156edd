--TEST--
phpinfo() shows the version
--EXTENSIONS--
sluice
--FILE--
<?php
ob_start();
phpinfo(INFO_MODULES);
preg_match('/^Sluice => enabled\nVersion => (.*)$/m', ob_get_clean(), $match);
var_dump($match[1] === phpversion('sluice'), preg_match('/^\d+\.\d+\.\d+/', $match[1]));
?>
--EXPECT--
bool(true)
int(1)
