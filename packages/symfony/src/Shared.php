<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Shared\Table;
use Sluice\Symfony\Cache\TableAdapter;
use Sluice\Symfony\Lock\TableStore;
use Symfony\Component\Cache\Adapter\{AbstractAdapter, FilesystemAdapter};
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\FlockStore;

/**
 * Makes what all workers share. In a PHP without the extension, such as php-fpm's, the same services are in files, which its processes share: one release serves
 * by both.
 *
 * @internal
 */
final class Shared
{
    /** Null: the extension is not there. */
    public static function table(string $name, int $bytes, bool $evict): ?Table
    {
        return \extension_loaded('sluice') ? new Table($name, $bytes, $evict) : null;
    }

    public static function cache(?Table $table, string $namespace, int $lifetime, string $folder): AbstractAdapter
    {
        return $table === null ? new FilesystemAdapter($namespace, $lifetime, $folder) : new TableAdapter($table, $namespace, $lifetime);
    }

    public static function lock(?Table $table): PersistingStoreInterface
    {
        return $table === null ? new FlockStore() : new TableStore($table);
    }
}
