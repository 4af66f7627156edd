<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Decimal, Shard, TableKind, TableRows};

/** Compares the rows of old shards and of new ones, chunk by chunk, also while they change. @internal */
final readonly class Comparison
{
    private const CHUNK = 2000;
    /** A row that still differs after so many looks, before each of which changes were copied, is wrong. */
    private const LOOKS = 50;

    /**
     * @param array<string, Copier> $copiers by the names of old shards
     * @param null|\Closure(): mixed $follow copies what has changed meanwhile; null: rows that differ are wrong at once
     */
    public function __construct(private Group $group, private array $copiers, private ?\Closure $follow) {}

    /**
     * @param non-empty-list<Part> $parts of one table
     * @return string|null a sentence when it differs
     */
    public function table(array $parts): ?string
    {
        $table = $parts[0]->table;
        // A reference table is whole on each shard.
        $isWhole = $table->schema->kind !== TableKind::Sharded;
        $sources = $isWhole ? [$this->group->sources[0]] : $this->group->sources;
        $after = null;
        do {
            $upTo = $this->chunk($parts, $after);
            foreach ($isWhole ? \array_map(static fn(Shard $shard) => [$shard], $this->group->targets) : [$this->group->targets] as $targets) {
                $wrong = $this->difference($this->rows($sources, $parts), $targets, $after, $upTo);
                if ($wrong !== []) {
                    return "The table {$table->schema->name} has " . \count($wrong) . ' rows that differ between the old shards and the new ones (' . $this->group->name() . '), such as the one with the key '
                        . $wrong[0] . '.';
                }
            }
            $after = $upTo;
        } while ($upTo !== null);
        return null;
    }

    /**
     * The end of the next chunk; null when the rest is one.
     *
     * @param non-empty-list<Part> $parts
     * @param list<mixed>|null $after
     * @return list<mixed>|null
     */
    private function chunk(array $parts, ?array $after): ?array
    {
        foreach ($this->rows($this->group->sources, $parts) as $rows) {
            $key = $rows->keyBehind($after, self::CHUNK);
            if ($key !== null) {
                return $key;
            }
        }
        return null;
    }

    /**
     * @param list<Shard> $sources
     * @param non-empty-list<Part> $parts
     * @return non-empty-list<TableRows> of each part on each source
     */
    private function rows(array $sources, array $parts): array
    {
        $rows = [];
        foreach ($sources as $source) {
            foreach ($parts as $part) {
                $rows[] = $this->copiers[$source->name]->rows($part);
            }
        }
        return $rows === [] ? throw new \LogicException('There is no source.') : $rows;
    }

    /**
     * @param non-empty-list<TableRows> $sources
     * @param list<Shard> $targets
     * @param list<mixed>|null $after
     * @param list<mixed>|null $upTo
     * @return list<string> encoded keys of rows that differ
     */
    private function difference(array $sources, array $targets, ?array $after, ?array $upTo): array
    {
        [$there, $here] = self::onBoth($sources, $targets, static fn(TableRows $rows, Shard $shard): array => $rows->checksum($shard, $after, $upTo));
        if (self::sum($there) === self::sum($here)) {
            return [];
        }
        // Some rows change all the time: each of them is equal at some look, though never all of them are.
        $wrong = self::unequal(...self::onBoth($sources, $targets, static fn(TableRows $rows, Shard $shard): array => $rows->checksums($shard, $after, $upTo)));
        for ($look = 1; $wrong !== [] && $this->follow !== null && $look <= self::LOOKS; ++$look) {
            ($this->follow)();
            $some = \array_map(TableRows::decode(...), $wrong);
            $wrong = self::unequal(...self::onBoth($sources, $targets, static fn(TableRows $rows, Shard $shard): array => $rows->checksumsOf($shard, $some)));
        }
        return $wrong;
    }

    /**
     * @template R
     * @param non-empty-list<TableRows> $sources
     * @param list<Shard> $targets
     * @param \Closure(TableRows, Shard): R $ask
     * @return array{list<R>, list<R>}
     */
    private static function onBoth(array $sources, array $targets, \Closure $ask): array
    {
        return [
            \array_map(static fn(TableRows $rows) => $ask($rows, $rows->source), $sources),
            \array_map(static fn(Shard $shard) => $ask($sources[0], $shard), $targets),
        ];
    }

    /**
     * @param list<array{int, string}> $sums
     * @return array{int, string}
     */
    private static function sum(array $sums): array
    {
        $all = [0, '0'];
        foreach ($sums as [$count, $checksum]) {
            $all = [$all[0] + $count, Decimal::add($all[1], $checksum)];
        }
        return $all;
    }

    /**
     * @param list<array<string, string>> $sources
     * @param list<array<string, string>> $targets
     * @return list<string>
     */
    private static function unequal(array $sources, array $targets): array
    {
        $there = \array_merge(...$sources);
        $here = \array_merge(...$targets);
        return \array_map(strval(...), \array_keys(\array_diff_assoc($there, $here) + \array_diff_assoc($here, $there)));
    }
}
