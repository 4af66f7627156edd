<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\KeyException;

/** Vitess's `region_json`: the columns are an id and a country; the country's region is the beginning of the keyspace id, the hash of the id its end. */
final class RegionJson implements Vindex
{
    private readonly Hash $hash;

    /**
     * @param array<string, int> $regions from a country to its region
     * @param 1|2 $bytes of the region in the keyspace id
     */
    public function __construct(private readonly array $regions, private readonly int $bytes)
    {
        $this->hash = new Hash();
    }

    public function cost(): int
    {
        return 1;
    }

    public function isUnique(): bool
    {
        return true;
    }

    public function columns(): int
    {
        return 2;
    }

    public function map(array $values): Destination
    {
        $id = $this->hash->hash($values[0]);
        $country = $values[1];
        $region = \is_scalar($country) ? ($this->regions[(string) $country] ?? null) : null;
        if ($region === null) {
            throw new KeyException('The country ' . \json_encode($country, \JSON_PARTIAL_OUTPUT_ON_ERROR) . ' is not in the region_map of the vindex region_json. Known are '
                . \implode(', ', \array_keys($this->regions)) . '.');
        }
        return Destination::keyspaceId(\substr(\pack('n', $region), 2 - $this->bytes) . $id);
    }
}
