<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{ColumnVindex, Table};

/** A condition that says where the rows of a table are: its key is one of these, or between two values. */
final readonly class Constraint
{
    /**
     * @param list<list<Expr>> $keys literals and parameters, for each key one value a column; none when there is a range
     * @param list<Expr> $low values that the key is not below
     * @param list<Expr> $high values that the key is not above
     */
    public function __construct(public Table $table, public ColumnVindex $vindex, public array $keys, public array $low = [], public array $high = []) {}

    public function isRange(): bool
    {
        return $this->low !== [] || $this->high !== [];
    }
}
