<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\Shard;

/** A shard, and what is behind the names of tables there (with legacy_split). */
final readonly class Route
{
    public function __construct(public Shard $shard, public string $suffix = '') {}
}
