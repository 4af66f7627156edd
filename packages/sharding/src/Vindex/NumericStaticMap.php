<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\Integer64;

/** Vitess's `numeric_static_map`: numbers by a table, others by a further vindex or as they are. */
final class NumericStaticMap extends Functional
{
    /** @param array<string, int|string> $map from a number's text to the number that is its keyspace id */
    public function __construct(private readonly array $map, private readonly ?Functional $fallback = null) {}

    public function hash(mixed $value): string
    {
        $number = Integer64::of($value);
        if (isset($this->map[$number->text])) {
            return Integer64::of($this->map[$number->text])->bytes();
        }
        return $this->fallback === null ? $number->bytes() : $this->fallback->hash($value);
    }
}
