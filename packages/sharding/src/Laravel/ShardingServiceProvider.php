<?php

declare(strict_types=1);

namespace Sluice\Sharding\Laravel;

use Illuminate\Database\DatabaseManager;
use Illuminate\Database\MySqlConnection;
use Illuminate\Support\ServiceProvider;
use Sluice\Sharding\{KeyspaceFile, PDO, TransactionMode};

/**
 * Laravel on a keyspace, by the driver `sharded` in config/database.php:
 * `'shop' => ['driver' => 'sharded', 'keyspace' => base_path('sharding.php'), 'transactions' => 'single']`.
 */
final class ShardingServiceProvider extends ServiceProvider
{
    public function boot(DatabaseManager $databases): void
    {
        $databases->extend('sharded', self::connection(...));
    }

    /** @param array<string, mixed> $config */
    public static function connection(array $config, string $name): MySqlConnection
    {
        $connect = static fn(): PDO => new PDO(
            KeyspaceFile::of($config['keyspace'] ?? null),
            \is_string($config['target'] ?? null) ? $config['target'] : '',
            transactions: match ($config['transactions'] ?? 'single') {
                'ordered', TransactionMode::Ordered => TransactionMode::Ordered,
                'xa', TransactionMode::Xa => TransactionMode::Xa,
                default => TransactionMode::Single,
            },
        );
        $prefix = $config['prefix'] ?? '';
        return new MySqlConnection($connect, KeyspaceFile::of($config['keyspace'] ?? null)->name, \is_string($prefix) ? $prefix : '', ['name' => $name] + $config);
    }
}
