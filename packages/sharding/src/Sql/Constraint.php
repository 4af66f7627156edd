<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\{ColumnVindex, Table};

/** A condition that says where the rows of a table are: its key is one of these. */
final readonly class Constraint
{
    /**
     * @param non-empty-list<list<Expr>> $keys literals and parameters, for each key one value a column
     */
    public function __construct(public Table $table, public ColumnVindex $vindex, public array $keys) {}
}
