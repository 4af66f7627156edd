<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

final readonly class Order
{
    public function __construct(public Expr $expr, public bool $isDescending) {}
}
