<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Vindex\Vindex;

/** A vindex on columns of a table. */
final readonly class ColumnVindex
{
    /** @param non-empty-list<string> $columns in lower case */
    public function __construct(public string $name, public array $columns, public Vindex $vindex, public bool $isOwned) {}
}
