<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\{Integer64, KeyException};

/** Vitess's `numeric`: the number itself, as eight bytes. */
final class Numeric extends Functional
{
    public function cost(): int
    {
        return 0;
    }

    public function hash(mixed $value): string
    {
        $number = Integer64::of($value);
        if ($number->isNegative()) {
            throw new KeyException("The key $number->text is negative, and the vindex numeric takes 0 to 18446744073709551615. Take hash or xxhash for negative ids.");
        }
        return $number->bytes();
    }
}
