<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\ShardingException;

/** Merges the rows of shards as they come. */
final class Merger
{
    private int $bytes = 0;

    /**
     * @param int $visible how many columns of the shards' rows are not hidden
     * @param int|null $limit rows at most; null for all
     */
    public function __construct(
        private readonly Merge $merge,
        private readonly int $visible,
        private readonly ?int $limit,
        private readonly int $offset,
        private readonly int $maxBytes,
    ) {}

    /**
     * @param list<\Iterator<int, list<mixed>>> $streams each sorted
     * @return \Generator<int, list<mixed>>
     * @throws ShardingException when rows that must be kept take too much memory
     */
    public function rows(array $streams): \Generator
    {
        $rows = $this->merge->isGrouped ? $this->groups($this->inOrder($streams)) : $this->inOrder($streams);
        if ($this->merge->final !== []) {
            $rows = $this->sorted($rows);
        }
        $at = 0;
        foreach ($this->limit === 0 ? [] : $rows as $row) {
            if ($at++ < $this->offset) {
                continue;
            }
            yield \array_slice($row, 0, $this->visible);
            if ($this->limit !== null && $at >= $this->offset + $this->limit) {
                return;
            }
        }
    }

    /**
     * @param list<\Iterator<int, list<mixed>>> $streams
     * @return \Generator<int, list<mixed>>
     */
    private function inOrder(array $streams): \Generator
    {
        if ($this->merge->stream === []) {
            foreach ($streams as $stream) {
                for (; $stream->valid(); $stream->next()) {
                    yield $stream->current();
                }
            }
            return;
        }
        $heap = new RowHeap($this->merge->stream, $this->visible);
        foreach ($streams as $i => $stream) {
            if ($stream->valid()) {
                $heap->insert([$stream->current(), $i]);
            }
        }
        while (!$heap->isEmpty()) {
            /** @var array{list<mixed>, int} $top */
            $top = $heap->extract();
            yield $top[0];
            $stream = $streams[$top[1]];
            $stream->next();
            if ($stream->valid()) {
                $heap->insert([$stream->current(), $top[1]]);
            }
        }
    }

    /**
     * @param \Generator<int, list<mixed>> $rows
     * @return \Generator<int, list<mixed>>
     */
    private function groups(\Generator $rows): \Generator
    {
        $group = null;
        foreach ($rows as $row) {
            if ($group !== null && $this->isSameGroup($group, $row)) {
                foreach ($this->merge->aggregates as $aggregate) {
                    $group = $aggregate->add($group, $row, $this->visible);
                }
                continue;
            }
            if ($group !== null) {
                yield $this->finished($group);
            }
            $group = $row;
        }
        if ($group !== null) {
            yield $this->finished($group);
        }
    }

    /**
     * @param list<mixed> $a
     * @param list<mixed> $b
     */
    private function isSameGroup(array $a, array $b): bool
    {
        foreach ($this->merge->stream as $key) {
            if ($key->compare($a, $b, $this->visible) !== 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * @param list<mixed> $group
     * @return list<mixed>
     */
    private function finished(array $group): array
    {
        foreach ($this->merge->aggregates as $aggregate) {
            $group = $aggregate->finish($group, $this->visible);
        }
        return $group;
    }

    /**
     * @param iterable<list<mixed>> $rows
     * @return list<list<mixed>>
     */
    private function sorted(iterable $rows): array
    {
        $all = [];
        foreach ($rows as $row) {
            $this->bytes += self::size($row);
            if ($this->bytes > $this->maxBytes) {
                throw new ShardingException("The groups of a query over several shards take more than $this->maxBytes bytes (mergeBytes), and must be sorted. Order by columns of GROUP BY, or raise mergeBytes.");
            }
            $all[] = $row;
        }
        \usort($all, function (array $a, array $b): int {
            foreach ($this->merge->final as $key) {
                $order = $key->compare($a, $b, $this->visible);
                if ($order !== 0) {
                    return $order;
                }
            }
            return 0;
        });
        return $all;
    }

    /**
     * About how much memory a row takes.
     *
     * @param array<mixed> $row
     */
    public static function size(array $row): int
    {
        $bytes = 56 + 16 * \count($row);
        foreach ($row as $value) {
            $bytes += \is_string($value) ? 24 + \strlen($value) : 0;
        }
        return $bytes;
    }
}
