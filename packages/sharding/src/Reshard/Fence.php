<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Address, Ask, Identifier, Runtime, Shard, ShardingException};
use Sluice\Sharding\Xa\Decisions;

/**
 * The row of a shard that all writers share and who moves the rows has alone. Triggers read it with a shared lock, which each transaction
 * that writes keeps until its end. So whoever gets the row for itself knows that all writers have ended, and new ones wait in the server,
 * without an error. If it dies, the server rolls it back, and they go on. When it commits with the successors, they learn where the rows are.
 *
 * @internal
 */
final class Fence
{
    /** What a statement fails with whose rows have moved. */
    public const MESSAGE = 'The rows of this shard have moved';
    private const TABLE = '`_sluice_fence`';
    private const NO_TABLE = 1146;
    /** Who is sent on waits so long for the old tables to be taken away, then takes them away itself. */
    private const RETIRE_SECONDS = 0.25;
    private const EVENTS = ['insert', 'update', 'delete'];

    public function __construct(private readonly Shard $shard) {}

    /** @param list<string> $tables */
    public function make(array $tables): void
    {
        $this->shard->use(static function (\PDO $db): void {
            $db->exec('CREATE TABLE IF NOT EXISTS ' . self::TABLE . ' (id INT PRIMARY KEY, successors MEDIUMTEXT CHARACTER SET utf8mb4 NULL, is_retired TINYINT NOT NULL DEFAULT 0) ENGINE = InnoDB');
            $db->exec('INSERT IGNORE INTO ' . self::TABLE . ' (id) VALUES (1)');
        });
        // A transaction over several shards decides while its branches share the fence: it must not wait behind who waits for them.
        Decisions::prepare($this->shard);
        foreach (self::events($tables) as [$name, $event]) {
            Locks::ddl($this->shard, 'CREATE TRIGGER IF NOT EXISTS ' . self::trigger($name, $event) . " BEFORE $event ON " . Identifier::quote($name)
                . ' FOR EACH ROW BEGIN DECLARE moved INT; SELECT successors IS NOT NULL INTO moved FROM ' . self::TABLE . " WHERE id = 1" . ($name === Decisions::NAME ? ';' : ' LOCK IN SHARE MODE;')
                . " IF moved THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '" . self::MESSAGE . "'; END IF; END");
        }
    }

    /** Within a transaction: writers have ended, and wait from now on until it ends. False when they have not ended in time. */
    public static function take(\PDO $db): bool
    {
        return Locks::execute($db, 'SELECT id FROM ' . self::TABLE . ' WHERE id = 1 FOR UPDATE');
    }

    /**
     * Within the transaction of take(): writers are sent on when it commits.
     *
     * @param list<Shard> $successors
     * @param list<string> $tables of the shard
     * @param array<mixed>|null $vschema the new one, when keys are mapped in another way
     */
    public static function move(\PDO $db, array $successors, array $tables, ?array $vschema): void
    {
        $text = static fn(string|Address $address): string => Address::of($address)->dsn;
        $list = \array_map(static fn(Shard $shard) => ['name' => $shard->name, 'dsn' => $shard->address->dsn, 'replicas' => \array_map($text, $shard->address->replicas), 'standbys' => \array_map($text, $shard->address->standbys)], $successors);
        $db->prepare('UPDATE ' . self::TABLE . ' SET successors = ? WHERE id = 1')->execute([\json_encode(['shards' => $list, 'tables' => $tables, 'vschema' => $vschema], \JSON_THROW_ON_ERROR)]);
    }

    /** Where the rows of a shard are; null when they have not moved. */
    public static function ask(Shard $shard): ?Successors
    {
        $text = $shard->use(static function (\PDO $db): ?string {
            try {
                return Ask::text($db, 'SELECT successors FROM ' . self::TABLE . ' WHERE id = 1');
            } catch (\PDOException $error) {
                return ($error->errorInfo[1] ?? 0) === self::NO_TABLE ? null : throw $error;
            }
        }, isRead: true);
        $moved = $text === null ? null : \json_decode($text, true);
        if (!\is_array($moved)) {
            return null;
        }
        $successors = [];
        foreach (\is_array($moved['shards'] ?? null) ? $moved['shards'] : [] as $one) {
            if (\is_array($one) && \is_string($one['name'] ?? null) && \is_string($one['dsn'] ?? null)) {
                $successors[] = [$one['name'], (new Address($one['dsn'], replicas: self::strings($one['replicas'] ?? []), standbys: self::strings($one['standbys'] ?? [])))->inherit($shard->address)];
            }
        }
        return new Successors($successors, self::strings($moved['tables'] ?? []), \is_array($moved['vschema'] ?? null) ? $moved['vschema'] : null);
    }

    public function hasMoved(): bool
    {
        return self::ask($this->shard) !== null;
    }

    /**
     * Takes the tables away, so that nobody reads what is old.
     *
     * @param list<string> $tables
     * @param int $attempts to get the lock of each
     */
    public function retire(array $tables, int $attempts = Locks::ATTEMPTS): void
    {
        foreach ($this->there($tables) as $table) {
            // One at a time: a RENAME of several tables that is interrupted leaves their triggers' files behind.
            Locks::ddl($this->shard, 'RENAME TABLE ' . Identifier::quote($table) . ' TO ' . self::retired($table), $attempts, true);
        }
        $this->shard->use(static fn(\PDO $db) => $db->exec('UPDATE ' . self::TABLE . ' SET is_retired = 1 WHERE id = 1'));
    }

    /**
     * @param list<string> $tables
     * @return list<string> those that have not been taken away
     */
    private function there(array $tables): array
    {
        $there = $this->shard->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()'));
        return \array_values(\array_filter($tables, static fn(string $table) => \in_array([$table], $there, true)));
    }

    /**
     * Waits until the old tables are taken away: who wrote to the new ones before would leave others reading what is old. When whoever moves
     * the rows seems dead, takes them away itself, if it may.
     */
    public static function awaitRetired(Shard $shard): void
    {
        $isRetired = static fn(): bool => $shard->use(static fn(\PDO $db) => Ask::text($db, 'SELECT is_retired FROM ' . self::TABLE . ' WHERE id = 1'), isRead: true) !== '0';
        for ($until = \microtime(true) + self::RETIRE_SECONDS; \microtime(true) < $until; Runtime::sleep(0.005)) {
            if ($isRetired()) {
                return;
            }
        }
        try {
            (new self($shard))->retire(self::ask($shard)->tables ?? [], 1);
        } catch (ShardingException | \PDOException) {
            // It may not, or transactions that read the tables are open for long.
        }
    }

    /** @param list<string> $tables */
    public function drop(array $tables): void
    {
        foreach (self::events($tables) as [$name, $event]) {
            Locks::ddl($this->shard, 'DROP TRIGGER IF EXISTS ' . self::trigger($name, $event));
        }
        $this->shard->use(static fn(\PDO $db) => $db->exec('DROP TABLE IF EXISTS ' . self::TABLE));
    }

    private static function retired(string $table): string
    {
        return Identifier::quote("_sluice_moved_$table");
    }

    private static function trigger(string $table, string $event): string
    {
        return Identifier::quote("_sluice_fence_{$table}_$event");
    }

    /**
     * @param list<string> $tables
     * @return list<array{string, string}> names of tables, and what writes them
     */
    private static function events(array $tables): array
    {
        $events = [[Decisions::NAME, 'insert']];
        foreach ($tables as $table) {
            foreach (self::EVENTS as $event) {
                $events[] = [$table, $event];
            }
        }
        return $events;
    }

    /** @return list<string> */
    private static function strings(mixed $list): array
    {
        return \is_array($list) ? \array_values(\array_filter($list, is_string(...))) : [];
    }
}
