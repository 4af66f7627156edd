<?php

declare(strict_types=1);

namespace Sluice\HttpFoundation;

/**
 * What controllers echo, and the output buffers that they leave open.
 *
 * @internal
 */
final class OutputBuffers
{
    /**
     * Removes the buffers above a level, and returns what is in them. One that PHP does not remove, as `ob_gzhandler`, stays until the request ends.
     * What is in it is returned; what is in those around it cannot be had, and goes to the server's own output.
     */
    public static function take(int $level): string
    {
        $echoed = '';
        while (self::canRemove($level)) {
            $echoed = \ob_get_clean() . $echoed;
        }
        if (\ob_get_level() > $level) {
            $echoed = \ob_get_contents() . $echoed;
            if ((self::flags() & \PHP_OUTPUT_HANDLER_CLEANABLE) !== 0) {
                \ob_clean();
            }
        }
        return $echoed;
    }

    /** Whether there is a buffer above a level that PHP removes; asking it for another one would never end. */
    public static function canRemove(int $level): bool
    {
        return \ob_get_level() > $level && (self::flags() & \PHP_OUTPUT_HANDLER_REMOVABLE) !== 0;
    }

    private static function flags(): int
    {
        $flags = \ob_get_status()['flags'] ?? 0;
        return \is_int($flags) ? $flags : 0;
    }
}
