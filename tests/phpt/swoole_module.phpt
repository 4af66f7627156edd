--TEST--
sluice.swoole answers those who ask whether Swoole is there
--EXTENSIONS--
sluice
--INI--
sluice.swoole=6.2.2
swoole.use_shortname=0
--FILE--
<?php

var_dump(extension_loaded('swoole'), phpversion('swoole'), (new ReflectionExtension('swoole'))->getVersion());
var_dump(SWOOLE_VERSION, SWOOLE_VERSION_ID, SWOOLE_MAJOR_VERSION, SWOOLE_MINOR_VERSION, SWOOLE_RELEASE_VERSION, SWOOLE_EXTRA_VERSION);
var_dump(ini_get('swoole.use_shortname'), count(ini_get_all('swoole')));
var_dump((new ReflectionClass('Sluice\Server'))->getExtensionName());
echo shell_exec(escapeshellarg(getenv('SLUICE_PHP') ?: PHP_BINARY) . ' -r "var_dump(ini_get(\'sluice.swoole\'), extension_loaded(\'swoole\'));"');
?>
--EXPECT--
bool(true)
string(5) "6.2.2"
string(5) "6.2.2"
string(5) "6.2.2"
int(60202)
int(6)
int(2)
int(2)
string(0) ""
string(1) "0"
int(10)
string(6) "sluice"
string(0) ""
bool(false)
