<?php

declare(strict_types=1);

namespace Sluice\Sharding;

enum TableKind
{
    /** Its rows are spread over the shards by its primary vindex. */
    case Sharded;
    /** All rows are on all shards. */
    case Reference;
    /** It gives numbers, in a keyspace that is not sharded. */
    case Sequence;
    /** In a keyspace that is not sharded. */
    case Unsharded;
}
