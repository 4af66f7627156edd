<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

enum AggregateKind
{
    case Count;
    case Sum;
    case Min;
    case Max;
    case Avg;
}
