<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

/** Vitess's `binary`: the value's bytes are the keyspace id. */
final class Binary extends Functional
{
    public function cost(): int
    {
        return 0;
    }

    public function hash(mixed $value): string
    {
        return self::bytes($value);
    }
}
