<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\{KeyException, KeyRange};

/** A vindex of one column whose keyspace ids are in the order of its values, so that a range of values is a range of keyspace ids. */
interface Ordered
{
    /**
     * @param mixed $low the smallest value, null for none
     * @param mixed $high the greatest value, null for none
     * @return KeyRange|null null when no value is between them
     * @throws KeyException when a value cannot be a key
     */
    public function between(mixed $low, mixed $high): ?KeyRange;
}
