<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

/** Vitess's `unicode_loose_md5` and `unicode_loose_xxhash`: strings that differ in case, accents or spaces at the end have one keyspace id. */
final class UnicodeLoose extends Functional
{
    public function __construct(private readonly bool $isMd5) {}

    public function hash(mixed $value): string
    {
        $key = UnicodeWeights::key(self::bytes($value));
        return $this->isMd5 ? \md5($key, true) : \strrev(\hash('xxh64', $key, true));
    }
}
