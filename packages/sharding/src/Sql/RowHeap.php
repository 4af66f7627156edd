<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/**
 * The next row of each shard, the first in order on top; of equal ones that of the first shard.
 *
 * @extends \SplHeap<array{list<mixed>, int}>
 */
final class RowHeap extends \SplHeap
{
    /** @param list<SortKey> $keys */
    public function __construct(private readonly array $keys, private readonly int $visible) {}

    /**
     * @param array{list<mixed>, int} $value1
     * @param array{list<mixed>, int} $value2
     */
    protected function compare(mixed $value1, mixed $value2): int
    {
        foreach ($this->keys as $key) {
            $order = $key->compare($value2[0], $value1[0], $this->visible);
            if ($order !== 0) {
                return $order;
            }
        }
        return $value2[1] <=> $value1[1];
    }
}
