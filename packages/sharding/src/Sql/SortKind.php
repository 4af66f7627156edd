<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\Decimal;

/** How two values of a column are compared as the server compares them. */
enum SortKind
{
    /** Integers, decimals, and what sums give. */
    case Number;
    /** Dates, and bytes. */
    case Bytes;
    /** Weights by the column's collation. */
    case Weights;

    public function compare(mixed $a, mixed $b, string $padding): int
    {
        if ($a === null || $b === null) {
            return ($a === null ? 0 : 1) <=> ($b === null ? 0 : 1);
        }
        if ($this === self::Number) {
            if ((\is_int($a) && \is_int($b)) || \is_float($a) || \is_float($b)) {
                return $a <=> $b;
            }
            return Decimal::compare(self::text($a), self::text($b));
        }
        $a = self::text($a);
        $b = self::text($b);
        if ($padding !== '' && \strlen($a) !== \strlen($b)) {
            $length = \max(\strlen($a), \strlen($b));
            $a = \str_pad($a, $length, $padding);
            $b = \str_pad($b, $length, $padding);
        }
        return \strcmp($a, $b) <=> 0;
    }

    private static function text(mixed $value): string
    {
        return \is_scalar($value) ? (string) $value : '';
    }
}
