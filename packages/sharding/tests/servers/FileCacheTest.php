<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use Doctrine\DBAL\DriverManager;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Ask, Keyspace};
use Sluice\Sharding\Doctrine\Driver;
use Sluice\Sharding\Tests\rig\Shop;

/** An application for one database gives the same on four shards, with nothing changed but the configuration. */
#[CoversNothing]
final class FileCacheTest extends TestCase
{
    private const VSCHEMA = [
        'sharded' => true,
        'vindexes' => [
            'xxhash' => ['type' => 'xxhash'],
            'by_fileid' => ['type' => 'consistent_lookup_unique', 'params' => ['table' => 'fileid_storage', 'from' => 'fileid', 'to' => 'keyspace_id'], 'owner' => 'filecache'],
        ],
        'tables' => [
            'filecache' => ['column_vindexes' => [['column' => 'storage', 'name' => 'xxhash'], ['column' => 'fileid', 'name' => 'by_fileid']], 'columns' => [['name' => 'storage', 'type' => 'INT64'], ['name' => 'fileid', 'type' => 'INT64']]],
            'filecache_extended' => ['column_vindexes' => [['column' => 'storage', 'name' => 'xxhash']], 'columns' => [['name' => 'storage', 'type' => 'INT64']]],
            'fileid_storage' => ['column_vindexes' => [['column' => 'fileid', 'name' => 'xxhash']], 'columns' => [['name' => 'fileid', 'type' => 'INT64']]],
        ],
    ];

    public function testAFileCacheGivesWhatItGivesOnOneDatabase(): void
    {
        $shop = Keyspace::of(self::VSCHEMA, Shop::shards('files', 4, FileCache::TABLES));
        $one = \array_values(Shop::shards('allfiles', 1, FileCache::TABLES))[0];
        \preg_match('/port=(\d+)/', $one->dsn, $port);
        $plain = DriverManager::getConnection(['driver' => 'pdo_mysql', 'host' => '127.0.0.1', 'port' => (int) ($port[1] ?? 0), 'dbname' => 'allfiles0', 'user' => 'sluice', 'password' => 'secret', 'charset' => 'utf8mb4']);
        $sharded = DriverManager::getConnection(['driverClass' => Driver::class, 'driverOptions' => ['keyspace' => $shop]]);
        $of = static function (FileCache $files): array {
            $id = 0;
            for ($storage = 1; $storage <= 8; ++$storage) {
                $files->put($root = ++$id, $storage, 'files', 0, 0);
                foreach (['b.txt', 'a.txt', 'ü.txt', '100%.txt'] as $name) {
                    $files->put(++$id, $storage, "files/$name", $root, $id * 1000);
                }
            }
            $seen = [];
            for ($storage = 1; $storage <= 8; ++$storage) {
                $seen[] = $files->byPath($storage, 'files/a.txt');
                $seen[] = $files->byPath($storage, 'nowhere');
                $seen[] = $files->children($storage, ($storage - 1) * 5 + 1);
                $seen[] = $files->move($storage, 'files', 'documents');
                $seen[] = $files->byPath($storage, 'documents/100%.txt');
                $seen[] = $files->used($storage);
                $seen[] = $files->byId($storage * 5);
                $seen[] = $files->remove($storage, $storage * 5);
                $seen[] = $files->byId($storage * 5);
            }
            return $seen;
        };
        self::assertSame($of(new FileCache($plain)), $of(new FileCache($sharded)));
        $rows = $shop->table('filecache')->scatter(static fn(\PDO $db) => (int) Ask::text($db, 'SELECT COUNT(*) FROM filecache'))->results;
        self::assertSame(32, \array_sum($rows));
        self::assertGreaterThan(1, \count(\array_filter($rows)), 'the storages are on several shards');
    }
}
