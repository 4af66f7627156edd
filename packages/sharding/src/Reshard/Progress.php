<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{Ask, Shard};

/** How far the rows of a shard are copied, in a table beside them, so that whoever goes on after a kill knows. @internal */
final class Progress
{
    private const TABLE = '`_sluice_progress`';

    public function __construct(private readonly Shard $shard) {}

    public function create(): void
    {
        $this->shard->use(static fn(\PDO $db) => $db->exec('CREATE TABLE IF NOT EXISTS ' . self::TABLE . ' (name VARCHAR(80) PRIMARY KEY, value TEXT CHARACTER SET utf8mb4 NOT NULL)'));
    }

    public function exists(): bool
    {
        return $this->shard->use(static fn(\PDO $db) => Ask::rows($db, "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '_sluice_progress'")) !== [];
    }

    public function get(string $name): ?string
    {
        return $this->shard->use(static fn(\PDO $db) => Ask::text($db, 'SELECT value FROM ' . self::TABLE . ' WHERE name = ?', [$name]));
    }

    public function set(string $name, string $value): void
    {
        $this->shard->use(static fn(\PDO $db) => $db->prepare('REPLACE INTO ' . self::TABLE . ' (name, value) VALUES (?, ?)')->execute([$name, $value]));
    }

    public function drop(): void
    {
        $this->shard->use(static fn(\PDO $db) => $db->exec('DROP TABLE IF EXISTS ' . self::TABLE));
    }
}
