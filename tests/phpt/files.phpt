--TEST--
Http\Files: what its constructor refuses
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Http\Files;
attempt('fine', fn() => new Files(__DIR__));
attempt('missing', fn() => new Files('/nowhere/at/all'));
attempt('a file', fn() => new Files('/etc/passwd'));
attempt('prefix', fn() => new Files(__DIR__, 'static/'));
attempt('prefix', fn() => new Files(__DIR__, '/static'));
attempt('prefix', fn() => new Files(__DIR__, '/a?/'));
attempt('index', fn() => new Files(__DIR__, '/', ['../x']));
attempt('index', fn() => new Files(__DIR__, '/', [1]));
attempt('cache', fn() => new Files(__DIR__, '/', [], "a\nb"));
attempt('again', fn() => (new Files(__DIR__))->__construct(__DIR__));
?>
--EXPECT--
fine: fine
Sluice\ServerException: The folder "/nowhere/at/all" cannot be read: No such file or directory
Sluice\ServerException: The folder "/etc/passwd" cannot be read: Not a directory
ValueError: Sluice\Http\Files::__construct(): Argument #2 ($prefix) must begin and end with "/" and hold no blanks, "?", "#" and "%", "static/" given
ValueError: Sluice\Http\Files::__construct(): Argument #2 ($prefix) must begin and end with "/" and hold no blanks, "?", "#" and "%", "/static" given
ValueError: Sluice\Http\Files::__construct(): Argument #2 ($prefix) must begin and end with "/" and hold no blanks, "?", "#" and "%", "/a?/" given
ValueError: Sluice\Http\Files::__construct(): Argument #3 ($index) must be a list of file names without slashes
ValueError: Sluice\Http\Files::__construct(): Argument #3 ($index) must be a list of file names without slashes
ValueError: Sluice\Http\Files::__construct(): Argument #4 ($cacheControl) must not be empty or hold CR, LF, NUL or another control character
Error: Sluice\Http\Files is constructed already and cannot be changed
