--TEST--
Server::watch(): what it takes
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Server;

$server = new Server();
var_dump($server->watch([__DIR__, __FILE__], ['*.php', 'a?.[tx]*'], 60) === $server);
attempt('none', fn() => $server->watch([]));
attempt('type', fn() => $server->watch([5]));
attempt('gone', fn() => $server->watch(['/nonexistent/folder']));
attempt('NUL', fn() => $server->watch(["/tmp\0/x"]));
attempt('no names', fn() => $server->watch([__DIR__], []));
attempt('empty', fn() => $server->watch([__DIR__], ['']));
attempt('slash', fn() => $server->watch([__DIR__], ['src/*.php']));
attempt('quiet', fn() => $server->watch([__DIR__], quietSeconds: 0));
attempt('quiet', fn() => $server->watch([__DIR__], quietSeconds: NAN));
?>
--EXPECT--
bool(true)
ValueError: Sluice\Server::watch(): Argument #1 ($paths) must be a list of folders and files, and not an empty one
TypeError: Sluice\Server::watch(): Argument #1 ($paths) must be a list of folders and files, int among them
ValueError: Sluice\Server::watch(): Argument #1 ($paths) must be a list of folders and files, "/nonexistent/folder" cannot be read
ValueError: Sluice\Server::watch(): Argument #1 ($paths) must be a list of folders and files, "/tmp" cannot be read
ValueError: Sluice\Server::watch(): Argument #2 ($names) must be a list of patterns of files' names, and not an empty one
ValueError: Sluice\Server::watch(): Argument #2 ($names) must be a list of patterns of files' names, "" is empty
ValueError: Sluice\Server::watch(): Argument #2 ($names) must be a list of patterns of files' names, "src/*.php" has a slash
ValueError: Sluice\Server::watch(): Argument #3 ($quietSeconds) must be between 0.01 and 60 seconds, 0 given
ValueError: Sluice\Server::watch(): Argument #3 ($quietSeconds) must be between 0.01 and 60 seconds, NAN given
