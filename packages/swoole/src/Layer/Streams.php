<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Streams for what Swoole takes as a descriptor: a stream, a socket, a number, an object that has one. */
final class Streams
{
    /** @var array<int, resource> the streams that have numbers of the layer's own */
    private static array $numbered = [];

    /**
     * The number by which a program names the stream.
     *
     * @param resource $stream
     */
    public static function number($stream): int
    {
        $number = \get_resource_id($stream);
        self::$numbered[$number] = $stream;
        return $number;
    }

    public static function release(int $number): void
    {
        unset(self::$numbered[$number]);
    }

    /** @return resource|null */
    public static function of(mixed $descriptor)
    {
        if (\is_resource($descriptor)) {
            return $descriptor;
        }
        if (\is_object($descriptor) && \method_exists($descriptor, 'stream')) {
            $stream = $descriptor->stream();
            return \is_resource($stream) ? $stream : null;
        }
        if ($descriptor instanceof \Socket) {
            return \socket_export_stream($descriptor) ?: null;
        }
        if (\is_int($descriptor)) {
            return self::$numbered[$descriptor] ?? (@\fopen("php://fd/$descriptor", 'r+') ?: null);
        }
        return null;
    }

    public static function key(mixed $descriptor): string
    {
        return match (true) {
            \is_resource($descriptor) => 's' . \get_resource_id($descriptor),
            \is_object($descriptor) => 'o' . \spl_object_id($descriptor),
            \is_int($descriptor) => isset(self::$numbered[$descriptor]) ? "s$descriptor" : "n$descriptor",
            default => '',
        };
    }
}
