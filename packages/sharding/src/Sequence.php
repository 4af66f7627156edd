<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * Numbers that are never given twice, in blocks: Vitess's sequence table with the columns id, next_id and cache. A block is taken by a
 * transaction before one of its numbers is given; what a process has not used when it ends is lost.
 */
final class Sequence
{
    private int $next = 0;
    private int $end = 0;
    private int $process = 0;

    public function __construct(private readonly Keyspace $keyspace, private readonly string $table) {}

    /** @throws ShardingException when the table has no row */
    public function next(): int
    {
        if ($this->next >= $this->end || $this->process !== \getmypid()) {
            // Two processes must not have one block: after a fork the child takes its own.
            [$this->next, $this->end] = $this->block();
            $this->process = (int) \getmypid();
        }
        return $this->next++;
    }

    /** @return array{int, int} the first number and the one after the last */
    private function block(): array
    {
        $table = Identifier::quote($this->table);
        return $this->keyspace->onlyShard()->use(function (\PDO $db) use ($table): array {
            $db->beginTransaction();
            $row = Ask::rows($db, "SELECT next_id, cache FROM $table WHERE id = 0 FOR UPDATE")[0] ?? null;
            if ($row === null) {
                throw new ShardingException("The sequence $this->table has no row with id 0. Insert one: (id, next_id, cache) VALUES (0, 1, 1000).");
            }
            [$next, $cache] = [Ask::int($row[0]), \max(1, Ask::int($row[1]))];
            if ($next > \PHP_INT_MAX - $cache) {
                throw new ShardingException("The sequence $this->table is used up at $next.");
            }
            $db->exec("UPDATE $table SET next_id = " . ($next + $cache) . ' WHERE id = 0');
            $db->commit();
            return [$next, $next + $cache];
        });
    }
}
