<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** The last error of this process or, in a coroutine, of that coroutine; and how errors are told. */
final class Errors
{
    private static int $last = 0;

    public static function set(int $code): void
    {
        self::$last = $code;
    }

    public static function last(): int
    {
        return self::$last;
    }

    /** Sets the last error, and gives false: what most methods return then. */
    public static function fail(int $code): false
    {
        self::$last = $code;
        return false;
    }

    /** As Swoole's own warnings, which begin with the name of the function. */
    public static function warn(string $message, int $code = 0): false
    {
        if ($code !== 0) {
            self::$last = $code;
        }
        \trigger_error($message, \E_USER_WARNING);
        return false;
    }

    /** A fatal error: the script ends with 255. */
    public static function fatal(string $message): never
    {
        \trigger_error($message, \E_USER_ERROR);

    }

    public static function notice(string $message): false
    {
        \trigger_error($message, \E_USER_NOTICE);
        return false;
    }

    public static function deprecated(string $message): void
    {
        \trigger_error($message, \E_USER_DEPRECATED);
    }
}
