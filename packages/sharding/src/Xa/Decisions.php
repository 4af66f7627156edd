<?php

declare(strict_types=1);

namespace Sluice\Sharding\Xa;

use Sluice\Sharding\{Ask, Shard};

/** Whether transactions over several shards commit, written down in a table of a shard. The first who writes decides. @internal */
final class Decisions
{
    public const NAME = '_sluice_xa';
    /** Far longer than a coordinator may take (Branches::MAX_SECONDS): a decision to roll back must stay as long as somebody could decide to commit. */
    private const KEPT_HOURS = 24;
    private const TABLE = '`_sluice_xa`';
    /** @var \WeakMap<Shard, true>|null */
    private static ?\WeakMap $prepared = null;

    public static function prepare(Shard $shard): void
    {
        self::$prepared ??= new \WeakMap();
        if (!isset(self::$prepared[$shard])) {
            $shard->use(static fn(\PDO $db) => $db->exec('CREATE TABLE IF NOT EXISTS ' . self::TABLE
                . ' (id CHAR(24) CHARACTER SET ascii PRIMARY KEY, is_commit TINYINT NOT NULL, decided_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP) ENGINE=InnoDB'), isRead: true);
            self::$prepared[$shard] = true;
        }
    }

    /** @return bool whether this decision was the first one */
    public static function decide(Shard $shard, string $id, bool $isCommit): bool
    {
        return $shard->use(static function (\PDO $db) use ($id, $isCommit): bool {
            $statement = $db->prepare('INSERT IGNORE INTO ' . self::TABLE . ' (id, is_commit) VALUES (?, ?)');
            $statement->execute([$id, (int) $isCommit]);
            return $statement->rowCount() === 1;
        });
    }

    public static function isAbort(Shard $shard, string $id): bool
    {
        return self::read($shard, $id) === false;
    }

    /** @return bool|null whether it commits; null when nothing was decided */
    public static function read(Shard $shard, string $id): ?bool
    {
        return $shard->use(static function (\PDO $db) use ($id): ?bool {
            $found = Ask::text($db, 'SELECT is_commit FROM ' . self::TABLE . ' WHERE id = ?', [$id]);
            return $found === null ? null : $found === '1';
        }, isRead: true);
    }

    public static function forget(Shard $shard, string $id): void
    {
        $shard->use(static fn(\PDO $db) => $db->prepare('DELETE FROM ' . self::TABLE . ' WHERE id = ?')->execute([$id]));
    }

    /** @param list<string> $needed ids of transactions with branches that are still prepared */
    public static function forgetOld(Shard $shard, array $needed): void
    {
        $shard->use(static function (\PDO $db) use ($needed): void {
            foreach (Ask::rows($db, 'SELECT id FROM ' . self::TABLE . ' WHERE decided_at < CURRENT_TIMESTAMP - INTERVAL ' . self::KEPT_HOURS . ' HOUR') as [$id]) {
                if (!\in_array($id, $needed, true)) {
                    $db->prepare('DELETE FROM ' . self::TABLE . ' WHERE id = ?')->execute([$id]);
                }
            }
        });
    }

    /**
     * Writes down what a shard has decided also on those that take its place.
     *
     * @param list<Shard> $successors
     */
    public static function handOver(Shard $shard, array $successors): void
    {
        $rows = $shard->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT id, is_commit FROM ' . self::TABLE));
        foreach ($successors as $successor) {
            self::prepare($successor);
            foreach (\array_chunk($rows, 500) as $some) {
                $values = \implode(', ', \array_fill(0, \count($some), '(?, ?)'));
                $successor->use(static fn(\PDO $db) => $db->prepare('INSERT IGNORE INTO ' . self::TABLE . " (id, is_commit) VALUES $values")->execute(\array_merge(...$some)));
            }
        }
    }
}
