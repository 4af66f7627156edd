<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** By what rows are sorted: a column of the shards' rows, counted from the first hidden one (negative: a visible one, -1 for the first). */
final readonly class SortKey
{
    public function __construct(public int $column, public SortKind $kind, public string $padding, public bool $isDescending) {}

    /**
     * @param list<mixed> $a
     * @param list<mixed> $b
     * @param int $visible how many columns are not hidden
     */
    public function compare(array $a, array $b, int $visible): int
    {
        $at = $this->column < 0 ? -1 - $this->column : $visible + $this->column;
        $order = $this->kind->compare($a[$at], $b[$at], $this->padding);
        return $this->isDescending ? -$order : $order;
    }
}
