<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use Doctrine\DBAL\{ArrayParameterType, Connection, DriverManager};
use Doctrine\ORM\{EntityManager, ORMSetup};
use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\QueryException;
use Illuminate\Events\Dispatcher;
use PHPUnit\Framework\Attributes\CoversNothing;
use Sluice\Sharding\{Keyspace, ShardKey};
use Sluice\Sharding\Doctrine\Driver;
use Sluice\Sharding\Laravel\ShardingServiceProvider;
use Sluice\Sharding\Sql\Unsupported;

#[CoversNothing]
final class OrmTest extends ShopCase
{
    public function testAVSchemaIsMadeOfClasses(): void
    {
        $vschema = ShardKey::vschema(['users' => Buyer::class, 'countries' => \stdClass::class]);
        self::assertStringContainsString('"countries":{"type":"reference"}', \json_encode($vschema, \JSON_THROW_ON_ERROR));
        $keyspace = Keyspace::of($vschema, ['-80' => 'sqlite::memory:', '80-' => 'sqlite::memory:']);
        self::assertSame('d46405367612b4b7', \bin2hex($keyspace->table('users')->keyspaceId(1)));
    }

    public function testDoctrinesQueriesGoToTheirShards(): void
    {
        $connection = $this->doctrine();
        $ids = $this->onFourShards();
        foreach ($ids as $id) {
            $connection->insert('users', ['id' => $id, 'name' => "user $id"]);
        }
        self::assertSame("user $ids[2]", $connection->fetchOne('SELECT name FROM users WHERE id = :id', ['id' => $ids[2]]));
        \sort($ids);
        self::assertSame($ids, $connection->fetchFirstColumn('SELECT id FROM users WHERE id IN (?) ORDER BY id', [$ids], [ArrayParameterType::INTEGER]));
        self::assertSame(1, $connection->update('users', ['name' => 'new'], ['id' => $ids[0]]));
        $connection->beginTransaction();
        $connection->delete('users', ['id' => $ids[0]]);
        $connection->rollBack();
        self::assertSame('new', $connection->fetchOne('SELECT name FROM users WHERE id = ?', [$ids[0]]));
        $this->expectException(Unsupported::class);
        $connection->fetchAllAssociative('SELECT * FROM users');
    }

    public function testDoctrinesEntitiesAreStoredAndFound(): void
    {
        $manager = new EntityManager($this->doctrine(), $this->metadata());
        foreach ($this->onFourShards() as $id) {
            $buyer = new Buyer();
            [$buyer->id, $buyer->name] = [$id, "buyer $id"];
            $manager->persist($buyer);
            $manager->flush();
        }
        $manager->clear();
        $id = $this->onFourShards()[1];
        $buyer = $manager->find(Buyer::class, $id);
        self::assertSame("buyer $id", $buyer?->name);
        $buyer->name = 'renamed';
        $manager->flush();
        $manager->clear();
        self::assertSame('renamed', $manager->find(Buyer::class, $id)?->name);
        self::assertCount(2, $manager->createQuery('SELECT b FROM ' . Buyer::class . ' b WHERE b.id IN (:ids)')->setParameter('ids', \array_slice($this->onFourShards(), 0, 2))->getArrayResult());
    }

    public function testEloquentsModelsAreStoredAndFound(): void
    {
        $manager = new Manager();
        $manager->getDatabaseManager()->extend('sharded', ShardingServiceProvider::connection(...));
        $manager->addConnection(['driver' => 'sharded', 'keyspace' => $this->shop]);
        $manager->setEventDispatcher(new Dispatcher());
        $manager->bootEloquent();
        $ids = $this->onFourShards();
        foreach ($ids as $id) {
            Customer::query()->create(['id' => $id, 'name' => "customer $id", 'balance' => 5]);
        }
        self::assertSame("customer $ids[3]", Customer::query()->find($ids[3])?->getAttribute('name'));
        self::assertSame(1, Customer::query()->where('id', $ids[1])->update(['balance' => 6]));
        self::assertSame([5, 6], Customer::query()->whereIn('id', [$ids[0], $ids[1]])->orderBy('balance')->pluck('balance')->all());
        $connection = $manager->getConnection();
        $connection->transaction(static fn() => Customer::query()->where('id', $ids[0])->increment('balance'));
        self::assertSame(6, Customer::query()->find($ids[0])?->getAttribute('balance'));
        $this->expectException(QueryException::class);
        $this->expectExceptionMessage('multi-db transaction attempted');
        $connection->transaction(static function () use ($ids): void {
            foreach ($ids as $id) {
                Customer::query()->where('id', $id)->increment('balance');
            }
        });
    }

    private function doctrine(): Connection
    {
        return DriverManager::getConnection(['driverClass' => Driver::class, 'driverOptions' => ['keyspace' => $this->shop]]);
    }

    private function metadata(): \Doctrine\ORM\Configuration
    {
        $configuration = ORMSetup::createAttributeMetadataConfiguration([__DIR__], true);
        $configuration->setProxyDir(\sys_get_temp_dir());
        return $configuration;
    }
}
