<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Worker;

/** An exception that nobody has caught, in a coroutine that a program has begun: it ends a script, but no worker. */
final class Uncaught
{
    public static function end(\Throwable $error): void
    {
        if (Worker::current() !== null) {
            throw $error;
        }
        $handler = \set_exception_handler(null);
        \restore_exception_handler();
        if ($handler !== null) {
            $handler($error);
            return;
        }
        if (\ini_get('display_errors') !== 'stderr') {
            echo "\nFatal error: Uncaught $error\n  thrown in {$error->getFile()} on line {$error->getLine()}\n";
        }
        exit(255);
    }
}
