--TEST--
Http\AccessLog: what it takes, and that it cannot be changed
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Http\{AccessLog, LogFormat};

$folder = sys_get_temp_dir() . '/sluice-access-log-' . getmypid();
mkdir($folder);
$log = new AccessLog("$folder/log");
var_dump($log->path === "$folder/log", $log->format, file_exists($log->path));
var_dump((new AccessLog('php://stderr', LogFormat::Json))->format);
attempt('stdout', fn() => new AccessLog('php://stdout'));
attempt('empty', fn() => new AccessLog(''));
foreach ([$folder, "$folder/none/log", "$folder/log/log", 'php://memory'] as $path) {
    touch("$folder/log");
    try {
        new AccessLog($path);
        echo "fine\n";
    } catch (ValueError $error) {
        echo str_replace($folder, 'FOLDER', $error->getMessage()), "\n";
    }
}
attempt('NUL', fn() => new AccessLog("a\0b"));
attempt('again', fn() => $log->__construct('x'));
attempt('change', function () use ($log) { $log->path = 'x'; });
unlink("$folder/log");
rmdir($folder);
?>
--EXPECT--
bool(true)
enum(Sluice\Http\LogFormat::Combined)
bool(false)
enum(Sluice\Http\LogFormat::Json)
stdout: fine
ValueError: Sluice\Http\AccessLog::__construct(): Argument #1 ($path) must not be empty
Sluice\Http\AccessLog::__construct(): Argument #1 ($path) must be a file that can be appended to, "FOLDER" given: it is a directory
Sluice\Http\AccessLog::__construct(): Argument #1 ($path) must be a file that can be appended to, "FOLDER/none/log" given: No such file or directory
Sluice\Http\AccessLog::__construct(): Argument #1 ($path) must be a file that can be appended to, "FOLDER/log/log" given: Not a directory
Sluice\Http\AccessLog::__construct(): Argument #1 ($path) must be a file that can be appended to, "php://memory" given: No such file or directory
ValueError: Sluice\Http\AccessLog::__construct(): Argument #1 ($path) must not contain any null bytes
Error: Sluice\Http\AccessLog is constructed already and cannot be changed
Error: Cannot modify readonly property Sluice\Http\AccessLog::$path
