<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

/** Vitess's `binary_md5`: MD5 over the value's bytes. */
final class BinaryMd5 extends Functional
{
    public function hash(mixed $value): string
    {
        return \md5(self::bytes($value), true);
    }
}
