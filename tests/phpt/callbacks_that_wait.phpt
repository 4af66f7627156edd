--TEST--
All of PHP's own that takes a callable gives ten coroutines, whose callbacks wait, what it gives them without waiting
--EXTENSIONS--
sluice
curl
dom
ffi
intl
pdo
pdo_sqlite
soap
sqlite3
xml
xsl
--INI--
zend.assertions=1
--FILE--
<?php
require __DIR__ . '/compare.inc';
require __DIR__ . '/callbacks.inc';
require __DIR__ . '/callbacks_elsewhere.inc';

echo implode("\n", call_all());
?>
--EXPECTREGEX--
^(6[5-9]|[7-9]\d|\d{3}) called$
