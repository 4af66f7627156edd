<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\{Integer64, KeyException, KeyRange};

/** Vitess's `numeric`: the number itself, as eight bytes. */
final class Numeric extends Functional implements Ordered
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

    public function between(mixed $low, mixed $high): ?KeyRange
    {
        $start = $low === null ? null : Integer64::of($low);
        $end = $high === null ? null : Integer64::of($high);
        if ($end?->isNegative() === true) {
            return null;
        }
        $first = $start === null || $start->isNegative() ? '' : $start->bytes();
        $last = $end === null ? KeyRange::ofPrefix('') : KeyRange::ofPrefix($end->bytes());
        return $last->end !== '' && \strcmp($first, $last->end) >= 0 ? null : new KeyRange($first, $last->end);
    }
}
