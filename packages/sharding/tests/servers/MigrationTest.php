<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use Doctrine\DBAL\DriverManager;
use Doctrine\Migrations\Configuration\Connection\ExistingConnection;
use Doctrine\Migrations\Configuration\Migration\ConfigurationArray;
use Doctrine\Migrations\{DependencyFactory, MigratorConfiguration};
use Doctrine\Migrations\Version\Version;
use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\Migrations\{DatabaseMigrationRepository, Migrator};
use Illuminate\Filesystem\Filesystem;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\Facade;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Ask, Keyspace, Options, PDO, Shard, ShardingException};
use Sluice\Sharding\Doctrine\Driver;
use Sluice\Sharding\Laravel\ShardingServiceProvider;
use Sluice\Sharding\Sql\Unsupported;
use Sluice\Sharding\Tests\rig\Shop;

/** Migrations of ORMs, and DDL by SQL, on all shards. */
#[CoversNothing]
final class MigrationTest extends TestCase
{
    private const EVERYWHERE = ['-40', '40-80', '80-c0', 'c0-'];
    private Keyspace $shop;

    protected function setUp(): void
    {
        $tables = ['notes' => ['column_vindexes' => [['column' => 'user_id', 'name' => 'xxhash']]], 'migrations' => ['type' => 'reference'], 'doctrine_migration_versions' => ['type' => 'reference']];
        $this->shop = Shop::keyspace('migrated', 4, [], $tables, new Options(allowDdl: true));
    }

    public function testLaravelsMigrationsAreExecutedOnAllShardsAndRolledBack(): void
    {
        $migrator = $this->laravel();
        self::assertCount(2, $migrator->run([__DIR__ . '/migrations']));
        self::assertSame(self::EVERYWHERE, $this->shardsWith('written_at'));
        self::assertSame([], $migrator->run([__DIR__ . '/migrations']));
        self::assertCount(2, $migrator->rollback([__DIR__ . '/migrations']));
        self::assertSame([], $this->shardsWith('text'));
    }

    public function testAMigrationThatFailsOnOneShardGoesOnThere(): void
    {
        $migrator = $this->laravel();
        $third = $this->shop->shards()[2];
        $third->use(static fn(\PDO $db) => $db->exec('CREATE TABLE notes (id INT)'));
        try {
            $migrator->run([__DIR__ . '/migrations']);
            self::fail();
        } catch (\Illuminate\Database\QueryException $error) {
            self::assertStringContainsString('failed on the shard 80-c0', $error->getMessage());
            self::assertStringContainsString('Executed: -40, 40-80. Not executed: c0-.', $error->getMessage());
        }
        try {
            (new PDO($this->shop))->exec('CREATE TABLE other (id INT PRIMARY KEY)');
            self::fail();
        } catch (ShardingException $error) {
            self::assertStringContainsString('Repeat it first', $error->getMessage());
        }
        $third->use(static fn(\PDO $db) => $db->exec('DROP TABLE notes'));
        self::assertCount(2, $migrator->run([__DIR__ . '/migrations']));
        self::assertSame(self::EVERYWHERE, $this->shardsWith('written_at'));
    }

    public function testDoctrinesMigrationsAreExecutedOnAllShards(): void
    {
        $connection = DriverManager::getConnection(['driverClass' => Driver::class, 'driverOptions' => ['keyspace' => $this->shop]]);
        $factory = DependencyFactory::fromConnection(new ConfigurationArray(['migrations' => [Version1::class]]), new ExistingConnection($connection));
        $factory->getMetadataStorage()->ensureInitialized();
        $plan = $factory->getMigrationPlanCalculator()->getPlanUntilVersion(new Version(Version1::class));
        $factory->getMigrator()->migrate($plan, new MigratorConfiguration());
        self::assertSame(self::EVERYWHERE, $this->shardsWith('written_at'));
        self::assertCount(0, $factory->getMigrationStatusCalculator()->getNewMigrations());
        self::assertSame(1, $connection->fetchOne('SELECT COUNT(*) FROM doctrine_migration_versions'));
    }

    public function testOneStatementGivenTwiceIsExecutedTwice(): void
    {
        $db = new PDO($this->shop);
        $db->beginTransaction();
        $db->exec('CREATE TABLE notes (user_id BIGINT PRIMARY KEY)');
        self::assertFalse($db->inTransaction(), 'DDL ends a transaction, as in the server');
        $db->exec('DROP TABLE notes');
        $db->exec('CREATE TABLE notes (user_id BIGINT PRIMARY KEY)');
        self::assertSame(self::EVERYWHERE, $this->shardsWith('user_id'));
        foreach (['CREATE TEMPORARY TABLE x (id INT)', 'DROP DATABASE migrated0', 'CREATE USER anna'] as $sql) {
            try {
                $db->exec($sql);
                self::fail("$sql was executed");
            } catch (Unsupported $error) {
                self::assertStringContainsString('Allowed are tables', $error->getMessage());
            }
        }
    }

    private function laravel(): Migrator
    {
        $manager = new Manager();
        $databases = $manager->getDatabaseManager();
        $databases->extend('sharded', ShardingServiceProvider::connection(...));
        $manager->addConnection(['driver' => 'sharded', 'keyspace' => $this->shop]);
        $container = new Application();
        $container->instance('db', $databases);
        $container->bind('db.schema', static fn() => $databases->connection()->getSchemaBuilder());
        Facade::setFacadeApplication($container);
        Facade::clearResolvedInstances();
        $repository = new DatabaseMigrationRepository($databases, 'migrations');
        if (!$repository->repositoryExists()) {
            $repository->createRepository();
        }
        return new Migrator($repository, $databases, new Filesystem());
    }

    /** @return list<string> names of the shards whose table notes has this column */
    private function shardsWith(string $column): array
    {
        $sql = 'SELECT 1 FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?';
        $with = \array_filter($this->shop->shards(), static fn(Shard $shard) => $shard->use(static fn(\PDO $db) => Ask::rows($db, $sql, ['notes', $column])) !== []);
        return \array_values(\array_map(static fn(Shard $shard) => $shard->name, $with));
    }
}
