<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

/** Vitess's `xxhash`: 64 bits of xxHash over the value's text, for any type. */
final class XxHash extends Functional
{
    public function hash(mixed $value): string
    {
        return \strrev(\hash('xxh64', self::bytes($value), true));
    }
}
