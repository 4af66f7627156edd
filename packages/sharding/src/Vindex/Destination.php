<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\KeyRange;

/** Where rows are: at keyspace ids, in a range of them, or nowhere. */
final readonly class Destination
{
    /** @param list<string> $keyspaceIds as bytes */
    private function __construct(public array $keyspaceIds, public ?KeyRange $range) {}

    public static function keyspaceId(string $id): self
    {
        return new self([$id], null);
    }

    /** @param list<string> $ids */
    public static function keyspaceIds(array $ids): self
    {
        return new self($ids, null);
    }

    public static function range(KeyRange $range): self
    {
        return new self([], $range);
    }

    public static function none(): self
    {
        return new self([], null);
    }
}
