<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** How the rows of several shards become one result. */
final readonly class Merge
{
    /**
     * @param list<Edit> $edits what is different in the shards' statement, apart from LIMIT
     * @param int $hidden how many columns at the end are only for merging
     * @param list<SortKey> $stream by what each shard sorts
     * @param bool $isGrouped whether rows that are equal by all of $stream become one
     * @param list<Aggregate> $aggregates
     * @param list<SortKey> $final by what the merged rows are sorted, when that is not as they come
     * @param bool $pushesLimit whether a shard needs to give no more rows than the result may have
     */
    public function __construct(
        public array $edits,
        public int $hidden,
        public array $stream,
        public bool $isGrouped,
        public array $aggregates,
        public array $final,
        public bool $pushesLimit,
    ) {}
}
