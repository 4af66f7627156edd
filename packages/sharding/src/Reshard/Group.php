<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{ConfigurationException, Keyspace, Shard};

/** Old shards, and the new ones that have the same keyspace ids: they move together. @internal */
final readonly class Group
{
    /**
     * @param non-empty-list<Shard> $sources
     * @param non-empty-list<Shard> $targets
     * @param bool $isMappedAnew whether a row of any source may belong to any target
     */
    private function __construct(public array $sources, public array $targets, public bool $isMappedAnew = false) {}

    /**
     * The shards of two keyspaces that are not in both; all of them when keys are mapped in another way.
     *
     * @return list<self>
     * @throws ConfigurationException for a new shard in the database of an old one
     */
    public static function all(Keyspace $from, Keyspace $to): array
    {
        $isMappedAnew = Part::areMappedAnew($from, $to);
        $groups = $isMappedAnew ? [new self($from->shards(), $to->shards(), true)] : [];
        $new = self::without($to->shards(), $from->shards());
        foreach ($isMappedAnew ? [] : self::without($from->shards(), $to->shards()) as $source) {
            $targets = \array_values(\array_filter($new, static fn(Shard $target) => $target->range->intersects($source->range)));
            $last = \array_key_last($groups);
            if ($last !== null && \in_array($targets[0] ?? null, $groups[$last]->targets, true)) {
                $groups[$last] = new self([...$groups[$last]->sources, $source], [...$groups[$last]->targets, ...\array_slice($targets, 1)]);
            } elseif ($targets !== []) {
                $groups[] = new self([$source], $targets);
            }
        }
        foreach ($groups as $group) {
            foreach ($group->targets as $target) {
                foreach ($from->shards() as $other) {
                    if ($target->address->host === $other->address->host && $target->address->database === $other->address->database) {
                        throw new ConfigurationException("The new shard $target->name is in the database of the old shard $other->name. Give it one of its own.");
                    }
                }
            }
        }
        return $groups;
    }

    /** @return list<Shard> */
    public function targets(Shard $source): array
    {
        return \array_values(\array_filter($this->targets, fn(Shard $target) => $this->isMappedAnew || $target->range->intersects($source->range)));
    }

    public function joins(): bool
    {
        if ($this->isMappedAnew) {
            return true;
        }
        foreach ($this->targets as $target) {
            if (\count(\array_filter($this->sources, static fn(Shard $source) => $source->range->intersects($target->range))) > 1) {
                return true;
            }
        }
        return false;
    }

    public function name(): string
    {
        return self::names($this->sources) . ' to ' . self::names($this->targets);
    }

    /** @param list<Shard> $shards */
    private static function names(array $shards): string
    {
        return \implode(', ', \array_map(static fn(Shard $shard) => $shard->name, $shards));
    }

    /**
     * @param list<Shard> $shards
     * @param list<Shard> $others
     * @return list<Shard>
     */
    private static function without(array $shards, array $others): array
    {
        $names = \array_map(static fn(Shard $shard) => $shard->name, $others);
        return \array_values(\array_filter($shards, static fn(Shard $shard) => !\in_array($shard->name, $names, true)));
    }
}
