--TEST--
A word in sluice.hooks that is no group is named, and all groups are on
--EXTENSIONS--
sluice
--INI--
sluice.hooks=time,tiem
--FILE--
<?php
require __DIR__ . '/hooks.inc';
[$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
stream_set_timeout($a, 0, 1000);
var_dump(suspends(fn () => fread($a, 1)));
?>
--EXPECT--
Warning: sluice.hooks = "time,tiem": there is no group "tiem". Give "all", "none", or some of time, sockets, names, locks, processes, files. Now all are switched on in Unknown on line 0
bool(true)
