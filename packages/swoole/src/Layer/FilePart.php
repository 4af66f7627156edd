<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Bytes of a file: from an offset, and to its end when the length is 0. */
final class FilePart
{
    public static function read(string $path, int $offset, int $length): string|false
    {
        if ($offset < 0 || $length < 0) {
            return Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS);
        }
        return \is_file($path) ? @\file_get_contents($path, false, null, $offset, $length > 0 ? $length : null) : false;
    }
}
