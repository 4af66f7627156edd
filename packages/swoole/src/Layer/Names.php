<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Names for shared memory that programs make without naming it: the same ones in the next boot of the script. */
final class Names
{
    /** @var array<string, int> */
    private static array $last = [];

    public static function next(string $kind): string
    {
        $number = self::$last[$kind] = (self::$last[$kind] ?? 0) + 1;
        return "swoole.$kind.$number";
    }
}
