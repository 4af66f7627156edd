<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Sluice\Worker;

/** An exception that nobody has caught, in a coroutine that a program has begun: it ends a script, but no worker. */
final class Uncaught
{
    /** As PHP tells of a fatal error. */
    public static function tell(string $text): void
    {
        $display = \ini_get('display_errors');
        if ($display !== 'stderr' && \filter_var($display, \FILTER_VALIDATE_BOOL, \FILTER_NULL_ON_FAILURE) !== false) {
            echo "\n$text\n";
        } else {
            \error_log("PHP $text");
        }
    }

    public static function end(\Throwable $error): void
    {
        if (Worker::current() !== null) {
            throw $error;
        }
        Traces::shorten($error);
        $handler = \set_exception_handler(null);
        \restore_exception_handler();
        if ($handler !== null) {
            $handler($error);
            return;
        }
        self::tell("Fatal error: Uncaught $error\n  thrown in {$error->getFile()} on line {$error->getLine()}");
        Coroutines::runDeferred(Coroutine\id(), null);
        exit(255);
    }
}
