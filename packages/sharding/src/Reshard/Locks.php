<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Ask, Runtime, Shard, ShardingException};

/** Takes locks that others wait behind, for a moment at a time. @internal */
final class Locks
{
    /** Whoever waits longer for a lock gives up, so that those behind it go on, and tries again. */
    private const SECONDS = 0.3;
    public const ATTEMPTS = 200;
    private const NO_TABLE = 1146;
    /** Lock wait timeout; interrupted for its time is over, in MariaDB and in MySQL. */
    private const TOO_LATE = [1205, 1969, 3024];

    /**
     * Executes DDL, which waits for open transactions on its table.
     *
     * @param int $attempts to get the lock
     * @param bool $mayBeGone whether it is right that the table is not there: another process has done it
     */
    public static function ddl(Shard $shard, string $sql, int $attempts = self::ATTEMPTS, bool $mayBeGone = false): void
    {
        $execute = static function (\PDO $db) use ($sql, $mayBeGone): bool {
            try {
                return self::execute($db, $sql);
            } catch (\PDOException $error) {
                return $mayBeGone && ($error->errorInfo[1] ?? 0) === self::NO_TABLE ? true : throw $error;
            }
        };
        for ($i = 0; $i < $attempts; ++$i) {
            if ($shard->use($execute)) {
                return;
            }
            Runtime::sleep(0.05);
        }
        throw new ShardingException("\"" . \substr($sql, 0, 100) . "…\" was not executed on the shard $shard->name in $attempts attempts of " . self::SECONDS
            . ' s, for transactions on the table do not end. Go on when they have ended.');
    }

    /** @return bool false when the lock was not free in time */
    public static function execute(\PDO $db, string $sql): bool
    {
        try {
            if (\str_contains((string) Ask::text($db, 'SELECT VERSION()'), 'MariaDB')) {
                Ask::rows($db, 'SET STATEMENT max_statement_time = ' . self::SECONDS . " FOR $sql");
            } else {
                $db->exec('SET SESSION lock_wait_timeout = 1, innodb_lock_wait_timeout = 1');
                Ask::rows($db, $sql);
            }
            return true;
        } catch (\PDOException $error) {
            if (\in_array($error->errorInfo[1] ?? 0, self::TOO_LATE, true)) {
                return false;
            }
            throw $error;
        }
    }
}
