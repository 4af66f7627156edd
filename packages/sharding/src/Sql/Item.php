<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** What SELECT gives as a column. */
final readonly class Item
{
    /** @param string|null $alias in lower case */
    public function __construct(public Expr $expr, public ?string $alias) {}
}
