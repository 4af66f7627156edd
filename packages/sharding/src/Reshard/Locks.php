<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Ask, Runtime, Shard, ShardingException};

/** Takes locks that others wait behind, for a moment at a time. @internal */
final class Locks
{
    /** Whoever waits longer for a lock gives up, so that those behind it go on, and tries again. */
    private const SECONDS = 0.3;
    private const ATTEMPTS = 200;
    /** Lock wait timeout; interrupted for its time is over, in MariaDB and in MySQL. */
    private const TOO_LATE = [1205, 1969, 3024];

    /** Executes DDL, which waits for open transactions on its table. */
    public static function ddl(Shard $shard, string $sql): void
    {
        for ($i = 0; $i < self::ATTEMPTS; ++$i) {
            if ($shard->use(static fn(\PDO $db): bool => self::execute($db, $sql))) {
                return;
            }
            Runtime::sleep(0.05);
        }
        throw new ShardingException("\"" . \substr($sql, 0, 100) . "…\" was not executed on the shard $shard->name in " . self::ATTEMPTS . ' attempts of ' . self::SECONDS
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
