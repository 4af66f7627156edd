<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

/** Vitess's `null`: all rows in the first shard. */
final class NullVindex extends Functional
{
    public function cost(): int
    {
        return 100;
    }

    public function hash(mixed $value): string
    {
        return "\0";
    }
}
