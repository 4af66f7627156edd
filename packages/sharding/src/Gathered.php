<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * What several shards have answered, and the errors of those that did not when a part was enough.
 *
 * @template K of array-key
 * @template R
 * @implements \IteratorAggregate<string, R>
 */
final readonly class Gathered implements \IteratorAggregate, \Countable
{
    /**
     * An array has the shard's name -80 as the number -80; foreach over this object gives names.
     *
     * @param array<K, R> $results
     * @param array<K, \Exception> $errors empty unless `partial: true`
     */
    public function __construct(public array $results, public array $errors = []) {}

    public function isComplete(): bool
    {
        return $this->errors === [];
    }

    public function getIterator(): \Iterator
    {
        foreach ($this->results as $key => $result) {
            yield (string) $key => $result;
        }
    }

    public function count(): int
    {
        return \count($this->results);
    }
}
