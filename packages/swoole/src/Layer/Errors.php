<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Internal\Diagnostic;

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

    /** Begins with the function that the program has called, as PHP's own warnings do. */
    public static function warn(string $message, int $code = 0): false
    {
        if ($code !== 0) {
            self::$last = $code;
        }
        if (self::isTold()) {
            self::raise(\E_WARNING, $message);
        }
        return false;
    }

    /** What a method throws that must not be called here: it says that its caller is at fault. */
    public static function exception(string $message): \Swoole\Error
    {
        $error = new \Swoole\Error($message);
        Traces::shorten($error);
        return $error;
    }

    /** A fatal error: the script ends with 255. */
    public static function fatal(string $message): never
    {
        // As PHP's own fatal errors: a program's handler of errors does not see it. trigger_error() is deprecated for them in PHP 8.4.
        $frame = self::frame();
        Uncaught::tell('Fatal error: ' . self::caller($frame) . "$message in " . ($frame['file'] ?? 'Unknown') . ' on line ' . ($frame['line'] ?? 0));
        exit(255);
    }

    /** At the program's call of the layer. */
    private static function raise(int $level, string $message): void
    {
        $frame = self::frame();
        Diagnostic::raise($level, self::caller($frame) . $message, $frame['file'] ?? 'Unknown', $frame['line'] ?? 0);
    }

    /** @param array{class?: string, function?: string} $frame */
    private static function caller(array $frame): string
    {
        $class = $frame['class'] ?? '';
        $function = $frame['function'] ?? '';
        if (\str_starts_with($class, 'Swoole\\')) {
            return "$class::$function(): ";
        }
        return \str_starts_with(\strtolower($function), 'swoole') || $function === 'go' || $function === 'defer' ? "$function(): " : '';
    }

    /** @return array{file?: string, line?: int, class?: string, function?: string} the program's call of the layer */
    private static function frame(): array
    {
        $own = \dirname(__DIR__);
        foreach (\debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS | \DEBUG_BACKTRACE_PROVIDE_OBJECT, 14) as $frame) {
            if (!\str_starts_with($frame['file'] ?? $own, $own)) {
                $class = $frame['class'] ?? '';
                if (isset($frame['object']) && \str_starts_with($class, 'Sluice\\Swoole\\')) {
                    $frame['class'] = self::knownClass($frame['object']) ?? $class;
                }
                return \array_intersect_key($frame, ['file' => 0, 'line' => 0, 'class' => 0, 'function' => 0]);
            }
        }
        return [];
    }

    /** The class of Swoole's whose method a class of the layer has. */
    private static function knownClass(object $object): ?string
    {
        foreach ([$object::class, ...\array_values(\class_parents($object))] as $class) {
            if (\str_starts_with($class, 'Swoole\\')) {
                return $class;
            }
        }
        return null;
    }

    public static function notice(string $message): false
    {
        if (self::isTold()) {
            self::raise(\E_NOTICE, $message);
        }
        return false;
    }

    /** The setting `swoole.display_errors`: without it only codes tell of errors. */
    private static function isTold(): bool
    {
        $setting = \ini_get('swoole.display_errors');
        return $setting === false || \filter_var($setting, \FILTER_VALIDATE_BOOL);
    }

    public static function deprecated(string $message): void
    {
        self::raise(\E_DEPRECATED, $message);
    }
}
