<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Decimal, Shard, Table, TableKind, TableRows};

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

    /** @return string|null a sentence when a table differs */
    public function table(Table $table): ?string
    {
        // A reference table is whole on each shard.
        $isWhole = $table->schema->kind !== TableKind::Sharded;
        $sources = $isWhole ? [$this->group->sources[0]] : $this->group->sources;
        $after = null;
        do {
            $upTo = $this->chunk($table, $after);
            foreach ($isWhole ? \array_map(static fn(Shard $shard) => [$shard], $this->group->targets) : [$this->group->targets] as $targets) {
                $wrong = $this->difference($this->copiers[$sources[0]->name]->rows($table), $sources, $targets, $after, $upTo);
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
     * @param list<mixed>|null $after
     * @return list<mixed>|null
     */
    private function chunk(Table $table, ?array $after): ?array
    {
        foreach ($this->group->sources as $source) {
            $key = $this->copiers[$source->name]->rows($table)->keyBehind($after, self::CHUNK);
            if ($key !== null) {
                return $key;
            }
        }
        return null;
    }

    /**
     * @param list<Shard> $sources
     * @param list<Shard> $targets
     * @param list<mixed>|null $after
     * @param list<mixed>|null $upTo
     * @return list<string> encoded keys of rows that differ
     */
    private function difference(TableRows $rows, array $sources, array $targets, ?array $after, ?array $upTo): array
    {
        $sum = static function (array $shards) use ($rows, $after, $upTo): array {
            $sum = [0, '0'];
            foreach ($shards as $shard) {
                \assert($shard instanceof Shard);
                [$count, $checksum] = $rows->checksum($shard, $after, $upTo);
                $sum = [$sum[0] + $count, Decimal::add($sum[1], $checksum)];
            }
            return $sum;
        };
        if ($sum($sources) === $sum($targets)) {
            return [];
        }
        // Some rows change all the time: each of them is equal at some look, though never all of them are.
        $wrong = self::unequal($sources, $targets, static fn(Shard $shard) => $rows->checksums($shard, $after, $upTo));
        for ($look = 1; $wrong !== [] && $this->follow !== null && $look <= self::LOOKS; ++$look) {
            ($this->follow)();
            $some = \array_map(TableRows::decode(...), $wrong);
            $wrong = self::unequal($sources, $targets, static fn(Shard $shard) => $rows->checksumsOf($shard, $some));
        }
        return $wrong;
    }

    /**
     * @param list<Shard> $sources
     * @param list<Shard> $targets
     * @param \Closure(Shard): array<string, string> $sums
     * @return list<string>
     */
    private static function unequal(array $sources, array $targets, \Closure $sums): array
    {
        $there = \array_merge(...\array_map($sums, $sources));
        $here = \array_merge(...\array_map($sums, $targets));
        return \array_map(strval(...), \array_keys(\array_diff_assoc($there, $here) + \array_diff_assoc($here, $there)));
    }
}
