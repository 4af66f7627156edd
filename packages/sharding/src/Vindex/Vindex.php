<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\KeyException;

/** From the values of a table's columns to keyspace ids. Vitess's word: a virtual index. */
interface Vindex
{
    /** What a look-up costs by Vitess's scale: 0 for identity, 1 for a function, 10 for a unique look-up, 20 for one that is not. The cheapest that fits routes. */
    public function cost(): int;

    /** Whether values have at most one keyspace id. Only such a vindex can be a table's primary one. */
    public function isUnique(): bool;

    /** How many columns it takes, 1 to 8. */
    public function columns(): int;

    /**
     * Where rows with these values are.
     *
     * @param list<mixed> $values one for each column; fewer, from the left, when the vindex takes partial keys
     * @throws KeyException when a value cannot be a key
     */
    public function map(array $values): Destination;
}
