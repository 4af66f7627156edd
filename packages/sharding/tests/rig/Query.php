<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\rig;

/** A query of the differential rig. */
final readonly class Query
{
    /**
     * @param list<int|string|null> $parameters
     * @param bool $isOrdered whether the order of all rows is determined
     * @param list<int> $loose columns whose text may differ by the column's collation: which one of equal texts a group shows is not determined
     */
    public function __construct(public string $sql, public array $parameters, public bool $isOrdered, public array $loose = []) {}
}
