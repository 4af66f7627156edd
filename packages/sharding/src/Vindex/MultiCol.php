<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\{KeyException, KeyRange};

/** Vitess's `multicol`: the first bytes of each column's keyspace id, one after the other. Fewer columns from the left give a range. */
final class MultiCol implements Vindex
{
    /**
     * @param non-empty-list<Functional> $vindexes one for each column
     * @param list<int> $bytes how many bytes each column gives; 8 in all
     */
    public function __construct(private readonly array $vindexes, private readonly array $bytes) {}

    public function cost(): int
    {
        return \array_sum(\array_map(static fn(Functional $vindex) => $vindex->cost(), $this->vindexes));
    }

    public function isUnique(): bool
    {
        return true;
    }

    public function columns(): int
    {
        return \count($this->vindexes);
    }

    public function map(array $values): Destination
    {
        $id = '';
        foreach ($values as $i => $value) {
            $part = \substr($this->vindexes[$i]->hash($value), 0, $this->bytes[$i]);
            if (\strlen($part) < $this->bytes[$i] && \count($values) < $this->columns()) {
                throw new KeyException("The column " . ($i + 1) . " of the vindex multicol gives fewer than {$this->bytes[$i]} bytes, so that a partial key has no range.");
            }
            $id .= $part;
        }
        return \count($values) === $this->columns() ? Destination::keyspaceId($id) : Destination::range(KeyRange::ofPrefix($id));
    }
}
