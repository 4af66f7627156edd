<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** A column as a shard's database has it. @internal */
final readonly class Column
{
    /**
     * @param string $type in lower case, such as `bigint`
     * @param string $collation '' for what is no text
     */
    public function __construct(public string $type, public string $collation) {}
}
