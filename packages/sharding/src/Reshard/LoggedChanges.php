<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\Binlog\{Key, Log, Wire};
use Sluice\Sharding\{Ask, Runtime, Shard, ShardingException};

/** Changes as the server's binary log has them: writers do nothing for it. @internal */
final class LoggedChanges implements Changes
{
    private const XA_SECONDS = 30.0;
    private ?Log $log = null;

    /** @param array<string, Key> $keys by table */
    private function __construct(private readonly Shard $shard, private readonly array $keys, private readonly Progress $progress) {}

    /**
     * Null when the server has no log of rows, or not for this user, or a primary key is not read from it.
     *
     * @param list<string> $tables
     */
    public static function of(Shard $shard, array $tables, Progress $progress): ?self
    {
        $keys = [];
        foreach ($tables as $table) {
            $key = Key::of($shard, $table);
            if ($key === null) {
                return null;
            }
            $keys[$table] = $key;
        }
        try {
            [$log, $format] = $shard->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT @@log_bin, @@global.binlog_format')[0] ?? [0, '']);
            $filters = $shard->use(self::logEnd(...));
            if (Ask::int($log) !== 1 || $format !== 'ROW' || ($filters[2] ?? '') !== '' || ($filters[3] ?? '') !== '') {
                return null;
            }
            // One event shows whether it may be read.
            (new Wire($shard->address))->events(\is_string($filters[0]) ? $filters[0] : '', Ask::int($filters[1]))->current();
        } catch (ShardingException | \PDOException) {
            return null;
        }
        return new self($shard, $keys, $progress);
    }

    public function begin(): void
    {
        if ($this->progress->get('binlog') !== null) {
            return;
        }
        [$file, $position] = $this->shard->use(self::logEnd(...));
        // What was prepared before this position and is committed after it is not in the log again: it must have ended before rows are copied.
        $until = \microtime(true) + self::XA_SECONDS;
        $before = $this->prepared();
        while (($left = \array_intersect($before, $this->prepared())) !== []) {
            if (\microtime(true) > $until) {
                throw new ShardingException("The shard {$this->shard->name} has the prepared XA transaction " . \implode(', ', $left) . ' for more than ' . self::XA_SECONDS . ' s. Run Xa\Recovery, or end it by hand.');
            }
            Runtime::sleep(0.05);
        }
        $this->progress->set('binlog', \json_encode([$file, Ask::int($position)], \JSON_THROW_ON_ERROR));
    }

    public function read(int $limit): array
    {
        if ($this->log === null) {
            $at = \json_decode($this->progress->get('binlog') ?? '[]', true);
            if (!\is_array($at) || !\is_string($at[0] ?? null) || !\is_int($at[1] ?? null)) {
                throw new ShardingException("The shard {$this->shard->name} has lost the position in its binary log. Roll back, and begin again.");
            }
            $this->log = new Log($this->shard->address, $this->keys, $at[0], $at[1]);
        }
        return $this->log->read($limit);
    }

    public function forget(): void
    {
        if ($this->log !== null) {
            $this->progress->set('binlog', \json_encode($this->log->position(), \JSON_THROW_ON_ERROR));
        }
    }

    public function precedesCommit(): bool
    {
        return true;
    }

    /** @return list<mixed> file, position, and which databases are in the log and which are not */
    private static function logEnd(\PDO $db): array
    {
        try {
            return Ask::rows($db, 'SHOW MASTER STATUS')[0] ?? ['', 0, '', ''];
        } catch (\PDOException) {
            return Ask::rows($db, 'SHOW BINARY LOG STATUS')[0] ?? ['', 0, '', ''];
        }
    }

    /** @return list<string> */
    private function prepared(): array
    {
        try {
            return $this->shard->use(static fn(\PDO $db) => \array_map(static fn(array $row) => \is_string($row[3]) ? $row[3] : '', Ask::rows($db, 'XA RECOVER')));
        } catch (\PDOException) {
            return [];  // The user may not see them.
        }
    }
}
