<?php

declare(strict_types=1);

namespace Sluice\Sharding;

enum TransactionMode
{
    /** One shard: a statement for a second one throws. */
    case Single;
    /** Several shards, committed one after the other in the order in which they were touched: not atomic. */
    case Ordered;
    /** Several shards, committed by two phases: atomic, not isolated. */
    case Xa;
}
