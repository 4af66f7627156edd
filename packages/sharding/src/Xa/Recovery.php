<?php

declare(strict_types=1);

namespace Sluice\Sharding\Xa;

use Sluice\Sharding\{Ask, KeyRange, Keyspace, Runtime, Shard};

/**
 * Ends what dead coordinators have left prepared: a branch that was seen prepared for longer than a time is committed when its transaction
 * was decided so, else rolled back. Once in an hour it deletes what was decided a day ago and no branch waits for. For a service of the server, or any process; several may run.
 */
final class Recovery
{
    private const CLEAN_SECONDS = 3600.0;
    /** @var array<string, float> when a transaction was first seen prepared */
    private array $seen = [];
    private float $cleaned = -\INF;

    /**
     * @param float $after seconds after which a prepared branch is taken for left behind, 0 to 3,600
     */
    public function __construct(private readonly Keyspace $keyspace, private readonly float $after = 3.0) {}

    /**
     * Looks every `$every` seconds until `$isStopping` says so.
     *
     * @param callable(): bool $isStopping
     */
    public function run(callable $isStopping, float $every = 1.0): void
    {
        while (!$isStopping()) {
            $this->look();
            Runtime::sleep($every);
        }
    }

    /** Looks at all shards once; one that is down is left for the next time. @return int how many branches were ended */
    public function look(): int
    {
        $ended = 0;
        $now = \hrtime(true) / 1e9;
        $prepared = [];
        $isWhole = true;
        foreach ($this->keyspace->shards() as $shard) {
            try {
                foreach ($this->prepared($shard) as [$gtrid, $branch]) {
                    $prepared[$gtrid] = true;
                    $this->seen[$gtrid] ??= $now;
                    if ($now - $this->seen[$gtrid] >= $this->after && $this->end($shard, $gtrid, $branch)) {
                        ++$ended;
                    }
                }
            } catch (\PDOException) {
                $isWhole = false;
            }
        }
        if ($isWhole && $now - $this->cleaned >= self::CLEAN_SECONDS) {
            $this->cleaned = $now;
            $this->clean(\array_map(static fn(string $gtrid) => \substr($gtrid, -24), \array_keys($prepared)));
        }
        $this->seen = \array_intersect_key($this->seen, $prepared);
        return $ended;
    }

    /**
     * Deletes decisions that nothing needs any more: no branch of them is prepared on any shard, and no coordinator would still commit.
     *
     * @param list<string> $needed
     */
    private function clean(array $needed): void
    {
        foreach ($this->keyspace->shards() as $shard) {
            try {
                Decisions::forgetOld($shard, $needed);
            } catch (\PDOException) {
                continue;  // It is down, or has no decisions.
            }
        }
    }

    private function end(Shard $shard, string $gtrid, string $branch): bool
    {
        if (!\preg_match('/\A' . Branches::PREFIX . '-(.+)-([0-9a-f]*-[0-9a-f]*|0)-([0-9a-f]{24})\z/', $gtrid, $parts) || $parts[1] !== $this->keyspace->name || $branch !== $shard->name) {
            return false;
        }
        // The shard may have moved meanwhile: its decisions are on all that took its place.
        $decider = $this->keyspace->shardOf(KeyRange::parse($parts[2])->start);
        Decisions::prepare($decider);
        Decisions::decide($decider, $parts[3], false);
        $command = Decisions::read($decider, $parts[3]) === true ? 'COMMIT' : 'ROLLBACK';
        return $shard->use(static function (\PDO $db) use ($command, $gtrid, $branch): bool {
            try {
                $db->exec("XA $command " . $db->quote($gtrid) . ',' . $db->quote($branch));
                return true;
            } catch (\PDOException $error) {
                if (($error->errorInfo[1] ?? 0) === 1397) {
                    return false;  // Its own coordinator, or another recovery, was quicker.
                }
                throw $error;
            }
        });
    }

    /** @return list<array{string, string}> transaction and branch of what is prepared in the shard's database server */
    private function prepared(Shard $shard): array
    {
        return $shard->use(static function (\PDO $db) use ($shard): array {
            $found = [];
            foreach (Ask::rows($db, 'XA RECOVER') as $row) {
                if (!\is_string($row[3])) {
                    continue;
                }
                $gtrid = \substr($row[3], 0, Ask::int($row[1]));
                $branch = \substr($row[3], Ask::int($row[1]), Ask::int($row[2]));
                if ($branch === $shard->name && \str_starts_with($gtrid, Branches::PREFIX . '-')) {
                    $found[] = [$gtrid, $branch];
                }
            }
            return $found;
        }, isRead: true);
    }
}
