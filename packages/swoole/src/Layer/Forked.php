<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Event;

/** The first steps of a process that the layer has forked. */
final class Forked
{
    /** @var list<resource|false> the process's standard streams, once they were replaced */
    public static array $kept = [];

    /** Forgets what belongs to the parent. */
    public static function begin(): void
    {
        Coroutines::forget();
        Timers::forget();
        Event::forget();
        Signals::forget();
    }

    /**
     * Makes the stream the process's standard input and output.
     *
     * @param resource $stream
     */
    public static function redirect($stream): void
    {
        // A descriptor that is opened gets the lowest free number.
        $copy = self::descriptorOf($stream);
        if (\is_resource(\STDIN)) {
            \fclose(\STDIN);
            self::$kept[] = \fopen("php://fd/$copy", 'r');
        }
        if (\is_resource(\STDOUT)) {
            \fclose(\STDOUT);
            self::$kept[] = \fopen("php://fd/$copy", 'w');
        }
    }

    /** @param resource $stream */
    private static function descriptorOf($stream): int
    {
        $status = \fstat($stream);
        $inode = \is_array($status) ? $status['ino'] : -1;
        foreach (\scandir('/proc/self/fd') ?: [] as $name) {
            $other = @\stat("/proc/self/fd/$name");
            if (\is_numeric($name) && $other !== false && $other['ino'] === $inode) {
                return (int) $name;
            }
        }
        return -1;
    }
}
