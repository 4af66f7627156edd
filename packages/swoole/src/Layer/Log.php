<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** What Swoole writes as lines of its log, and does not raise as warnings: on standard output, or into `log_file`. */
final class Log
{
    public static function warn(string $where, string $message, int $code = 0): false
    {
        if ($code !== 0) {
            Errors::set($code);
        }
        $setting = (Running::current()?->server->setting ?? []) + Coroutines::$options;
        $level = $setting['log_level'] ?? \SWOOLE_LOG_INFO;
        if (\is_int($level) && $level > \SWOOLE_LOG_WARNING) {
            return false;
        }
        $line = \date('[Y-m-d H:i:s ') . \getmypid() . ".0]\tWARNING\t$where()" . ($code !== 0 ? " (ERRNO $code)" : '') . ": $message\n";
        $file = Options::string($setting, 'log_file');
        if ($file === '') {
            echo $line;
        } elseif (@\file_put_contents($file, $line, \FILE_APPEND) === false) {
            \error_log(\rtrim($line));
        }
        return false;
    }
}
