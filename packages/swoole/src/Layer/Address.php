<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** `192.0.2.1:1234`, `[2001:db8::1]:1234` and `unix:/a/path`. */
final class Address
{
    /** @return array{string, int} */
    public static function split(string $address): array
    {
        $colon = \strrpos($address, ':');
        if ($colon === false || \str_starts_with($address, 'unix:')) {
            return [$address, 0];
        }
        return [\trim(\substr($address, 0, $colon), '[]'), (int) \substr($address, $colon + 1)];
    }
}
