<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Vindex\Lookup;

/** Where the entries of lookup vindexes are kept. */
interface LookupStore
{
    /** @return list<mixed> what the column `to` has for this value */
    public function find(Lookup $vindex, mixed $value): array;

    /** @return bool false when there is an entry already */
    public function create(Lookup $vindex, mixed $value, string $to): bool;

    public function replace(Lookup $vindex, mixed $value, string $to): void;

    public function delete(Lookup $vindex, mixed $value, string $to): void;
}
