<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** The place in the application that has called this package. @internal */
final class CallSite
{
    public static function outside(): string
    {
        foreach (\debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS, 30) as $frame) {
            $file = $frame['file'] ?? '';
            if ($file !== '' && !\str_starts_with($file, __DIR__ . '/') && !\str_contains($file, '/vendor/doctrine/') && !\str_contains($file, '/vendor/laravel/') && !\str_contains($file, '/vendor/illuminate/')) {
                return $file . ':' . ($frame['line'] ?? 0);
            }
        }
        return 'unknown';
    }
}
