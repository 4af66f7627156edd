<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\Address;

/** Where the rows of a shard are that have moved. @internal */
final readonly class Successors
{
    /**
     * @param list<array{string, Address}> $shards names and addresses
     * @param list<string> $tables of the old shard
     * @param array<mixed>|null $vschema the new one, when keys are mapped in another way
     */
    public function __construct(public array $shards, public array $tables, public ?array $vschema) {}
}
