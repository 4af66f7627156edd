<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * 64-bit ids that grow with time: 41 bits of milliseconds, 10 of a node, 12 of a counter. A node's number is leased from a table, together
 * with a span of milliseconds that no other process gets for that number: an id is never given twice, whatever clocks do.
 *
 * The table has the columns node (primary key, 0 to 1023) and until_ms, and is made when it is not there.
 */
final class Snowflake
{
    /** 2024-01-01 in milliseconds: ids last until 2093. */
    public const EPOCH_MS = 1_704_067_200_000;
    private int $node = -1;
    private int $now = 0;
    private int $until = 0;
    private int $counter = 0;
    private int $process = 0;
    /** @var \Closure(): int */
    private readonly \Closure $clock;

    /**
     * @param int $spanMs milliseconds that are leased at a time, 1 to 3,600,000
     * @param null|\Closure(): int $clock milliseconds since 1970; null: the machine's
     */
    public function __construct(
        private readonly Keyspace $keyspace,
        private readonly string $table = 'sluice_snowflake',
        private readonly int $nodes = 1024,
        private readonly int $spanMs = 10_000,
        ?\Closure $clock = null,
    ) {
        if ($nodes < 1 || $nodes > 1024 || $spanMs < 1 || $spanMs > 3_600_000) {
            throw new ConfigurationException("Snowflake: nodes must be from 1 to 1024 and spanMs from 1 to 3600000, $nodes and $spanMs given.");
        }
        $this->clock = $clock ?? static fn(): int => (int) (\microtime(true) * 1000);
    }

    /** @throws ShardingException when the clock is before 2024 or the node's time has run a day ahead of it */
    public function next(): int
    {
        if ($this->process !== \getmypid()) {
            $this->until = 0;
            $this->process = (int) \getmypid();
        }
        $clock = ($this->clock)();
        if ($clock > $this->now) {
            $this->now = $clock;
            $this->counter = 0;
        } elseif (++$this->counter > 4095) {
            ++$this->now;
            $this->counter = 0;
        }
        if ($this->now >= $this->until) {
            [$this->node, $this->now, $this->until] = $this->lease($this->now);
            $this->counter = 0;
        }
        $since = $this->now - self::EPOCH_MS;
        if ($since < 0 || $this->now - $clock > 86_400_000) {
            throw new ShardingException('The clock is at ' . \gmdate('Y-m-d', \intdiv($clock, 1000)) . ', which is before 2024, or a day behind ids that were given. Set it.');
        }
        return ($since << 22) | ($this->node << 12) | $this->counter;
    }

    /** The number of the node that is leased now; -1 before the first id. */
    public function node(): int
    {
        return $this->node;
    }

    /** @return array{int, int, int} node, first millisecond, and the one after the last */
    private function lease(int $from): array
    {
        $table = Identifier::quote($this->table);
        return $this->keyspace->onlyShard()->use(function (\PDO $db) use ($table, $from): array {
            $db->exec("CREATE TABLE IF NOT EXISTS $table (node INTEGER PRIMARY KEY, until_ms BIGINT NOT NULL)");
            $isMysql = $db->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'mysql';
            if ((int) Ask::text($db, "SELECT COUNT(*) FROM $table") < $this->nodes) {
                for ($node = 0; $node < $this->nodes; ++$node) {
                    $db->exec(($isMysql ? 'INSERT IGNORE' : 'INSERT OR IGNORE') . " INTO $table (node, until_ms) VALUES ($node, 0)");
                }
            }
            $isMysql ? $db->beginTransaction() : $db->exec('BEGIN IMMEDIATE');
            [$node, $leased] = Ask::rows($db, "SELECT node, until_ms FROM $table ORDER BY until_ms, node LIMIT 1" . ($isMysql ? ' FOR UPDATE' : ''))[0];
            $node = Ask::int($node);
            // The span begins behind all that was leased with this number, also when the clock has stepped back.
            $first = \max($from, Ask::int($leased));
            $until = $first + $this->spanMs;
            $db->exec("UPDATE $table SET until_ms = $until WHERE node = $node");
            $isMysql ? $db->commit() : $db->exec('COMMIT');
            return [$node, $first, $until];
        });
    }
}
