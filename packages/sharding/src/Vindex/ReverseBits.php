<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\Integer64;

/** Vitess's `reverse_bits`: the number's 64 bits in reverse order, so that ids that follow each other are spread. */
final class ReverseBits extends Functional
{
    public function hash(mixed $value): string
    {
        $reversed = '';
        foreach (\str_split(\strrev(Integer64::of($value)->bytes())) as $byte) {
            $bits = \ord($byte);
            $mirrored = 0;
            for ($i = 0; $i < 8; ++$i) {
                $mirrored = ($mirrored << 1) | (($bits >> $i) & 1);
            }
            $reversed .= \chr($mirrored);
        }
        return $reversed;
    }
}
