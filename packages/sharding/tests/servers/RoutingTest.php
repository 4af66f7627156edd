<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\Attributes\CoversNothing;
use Sluice\Sharding\{Ask, Options, RefusedException, ShardingException};
use Sluice\Sharding\Sql\Unsupported;

#[CoversNothing]
final class RoutingTest extends ShopCase
{
    public function testEachRowIsOnTheShardOfItsKeyAndNowhereElse(): void
    {
        $this->users(\range(1, 20));
        foreach ($this->shop->shards() as $shard) {
            foreach ($shard->use(static fn(\PDO $db) => Ask::rows($db, 'SELECT id FROM users')) as [$id]) {
                self::assertSame($shard, $this->shop->table('users')->shard($id));
            }
        }
        self::assertSame([[20]], $this->all('/*vt+ ALLOW_SCATTER=1 */ SELECT COUNT(*) FROM users'));
    }

    public function testAnInsertOfManyRowsIsSplit(): void
    {
        self::assertSame(4, $this->db->exec("INSERT INTO users (id, name) VALUES (1, 'a'), (2, 'b'), (3, '(c), (d)'), (4, 'e')"));
        self::assertSame([[1, 'a'], [2, 'b'], [3, '(c), (d)'], [4, 'e']], $this->all('SELECT id, name FROM users WHERE id IN (4, 3, 2, 1) ORDER BY id'));
        $statement = $this->db->prepare('INSERT INTO users (name, id) VALUES (?, ?), (?, ?), (7, :x)');
        try {
            $statement->execute(['a', 5, 'b', 6]);
            self::fail();
        } catch (RefusedException $error) {
            self::assertStringContainsString(':x is not bound', $error->getMessage());
        }
        $this->db->prepare('INSERT INTO users (name, id) VALUES (:a, :b), (:c, :d)')->execute([':a' => 'f', 'b' => 10, 'c' => 'g', 'd' => 11]);
        self::assertSame([['f'], ['g']], $this->all('SELECT name FROM users WHERE id IN (?, ?) ORDER BY id', 10, 11));
    }

    public function testASequenceGivesTheMissingKeys(): void
    {
        $this->db->exec("INSERT INTO users (name) VALUES ('a'), ('b')");
        self::assertSame('1', $this->db->lastInsertId());
        $this->db->exec("INSERT INTO users (id, name) VALUES (NULL, 'c'), (0, 'd')");
        self::assertSame('3', $this->db->lastInsertId());
        self::assertSame([[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']], $this->all('SELECT id, name FROM users WHERE id IN (1, 2, 3, 4) ORDER BY id'));
    }

    public function testALookupVindexFindsTheRowAndKeepsItsValueUnique(): void
    {
        $this->users([1, 2]);
        self::assertSame([[2]], $this->all('SELECT id FROM users WHERE email = ?', 'u2@example.org'));
        self::assertSame([], $this->all('SELECT id FROM users WHERE email = ?', 'nobody@example.org'));
        try {
            $this->db->exec("INSERT INTO users (id, email) VALUES (3, 'u2@example.org')");
            self::fail('a second row has the address');
        } catch (RefusedException $error) {
            self::assertStringContainsString('u2@example.org', $error->getMessage());
        }
        $this->db->exec('DELETE FROM users WHERE id = 2');
        self::assertSame([], $this->all("SELECT email FROM user_by_email WHERE email = 'u2@example.org'"));
        $this->db->exec("INSERT INTO users (id, email) VALUES (3, 'u2@example.org')");
        self::assertSame([[3]], $this->all("SELECT id FROM users WHERE email = 'u2@example.org'"));
    }

    public function testAnEntryWithoutItsRowIsTakenOver(): void
    {
        $this->users([1]);
        $this->shop->table('users')->shard(1)->use(static fn(\PDO $db) => $db->exec('DELETE FROM users'));
        $this->db->exec("INSERT INTO users (id, email) VALUES (2, 'u1@example.org')");
        self::assertSame([[2]], $this->all("SELECT id FROM users WHERE email = 'u1@example.org'"));
    }

    public function testAReferenceTableIsWrittenOnAllShards(): void
    {
        self::assertSame(1, $this->db->exec("INSERT INTO countries VALUES ('de', 'Germany')"));
        self::assertSame(['Germany', 'Germany', 'Germany', 'Germany'], \array_values($this->shop->table('users')->scatter(
            static fn(\PDO $db) => Ask::text($db, 'SELECT name FROM countries'),
        )->results));
        self::assertSame([['Germany']], $this->all('SELECT name FROM countries'));
    }

    /** Texts that differ by spaces at their end are one to DISTINCT, and must not count twice for the LIMIT of a shard. */
    public function testDistinctTextsThatDifferBySpacesAreOne(): void
    {
        [$id] = $this->onFourShards();
        $here = [];
        for ($one = $id; \count($here) < 4; ++$one) {
            if ($this->shop->table('users')->shard($one) === $this->shop->table('users')->shard($id)) {
                $here[] = $one;
            }
        }
        foreach (['a', 'a ', 'a  ', 'b'] as $i => $name) {
            $this->db->prepare('INSERT INTO users (id, name) VALUES (?, ?)')->execute([$here[$i], $name]);
        }
        $scatter = '/*vt+ ALLOW_SCATTER=1 */ SELECT DISTINCT';
        self::assertSame(['a', 'b'], \array_map(static fn(mixed $row) => \is_array($row) && \is_string($row[0]) ? \rtrim($row[0]) : null, $this->all("$scatter name FROM users ORDER BY name LIMIT 2")));
        $this->db->exec("INSERT INTO orders (id, user_id, total) VALUES (1, $id, 1)");
        $this->shop->table('users')->scatter(static fn(\PDO $db) => $db->exec('ALTER TABLE orders ADD note VARCHAR(10)'));
        $this->shop->schema->forget();
        $this->db->exec("INSERT INTO orders (id, user_id, total, note) VALUES (2, $id, 1, 'a'), (3, $id, 1, 'a ')");
        self::assertCount(2, $this->all("$scatter user_id, note FROM orders ORDER BY note"));
    }

    public function testUseChoosesAShard(): void
    {
        $this->users([1, 2, 3, 4, 5, 6]);
        $this->db->exec('USE main:c0-');
        $here = $this->all('SELECT id FROM users ORDER BY id');
        self::assertNotSame([], $here);
        self::assertLessThan(6, \count($here));
        $this->db->exec('USE `main`');
        $this->expectException(Unsupported::class);
        $this->all('SELECT id FROM users');
    }

    public function testARefusalTouchesNoShardAndNamesTheCaller(): void
    {
        $before = $this->shop->figures->shards();
        try {
            $this->db->query('SELECT * FROM users WHERE name = 5');
            self::fail();
        } catch (Unsupported $error) {
            self::assertSame('VT12001', $error->vitessCode);
            self::assertStringContainsString('users.id', $error->getMessage());
            self::assertSame(__FILE__ . ':' . (__LINE__ - 5), $error->callSite);
        }
        self::assertSame($before, $this->shop->figures->shards());
        self::assertSame([__FILE__ . ':' . (__LINE__ - 8) => 1], $this->shop->figures->refusals());
    }

    public function testAMergedResultStaysWithinItsBytesAndStreamsWithout(): void
    {
        $this->open(new Options(mergeBytes: 4096));
        $this->users(\range(1, 60));
        try {
            $this->all('/*vt+ ALLOW_SCATTER=1 */ SELECT id, name FROM users ORDER BY id');
            self::fail();
        } catch (ShardingException $error) {
            self::assertStringContainsString('more than 4096 bytes (mergeBytes)', $error->getMessage());
        }
        $this->db->setAttribute(\PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
        $ids = [];
        foreach ($this->db->query('/*vt+ ALLOW_SCATTER=1 */ SELECT id FROM users ORDER BY id DESC', \PDO::FETCH_COLUMN, 0) as $id) {
            $ids[] = $id;
        }
        self::assertSame(\range(60, 1), $ids);
        self::assertSame([[60]], $this->all('/*vt+ ALLOW_SCATTER=1 */ SELECT id FROM users ORDER BY id DESC LIMIT 1'));
        self::assertSame(0, $this->shop->connections->gate->inUse());
    }

    public function testAShardThatIsDownCanBeLeftOut(): void
    {
        $this->users([1, 2, 3, 4, 5, 6]);
        $this->shop->shards()[0]->use(static fn(\PDO $db) => $db->exec('DROP TABLE orders'));
        $statement = $this->db->query('/*vt+ ALLOW_SCATTER=1 SCATTER_ERRORS_AS_WARNINGS=1 */ SELECT id FROM orders');
        self::assertSame([], $statement->fetchAll());
        self::assertCount(1, $statement->warnings());
        $this->expectException(\PDOException::class);
        $this->db->query('/*vt+ ALLOW_SCATTER=1 */ SELECT id FROM orders');
    }

    public function testScattersThatNeedEachOthersConnectionsDoNotWaitForEver(): void
    {
        if (!\extension_loaded('sluice')) {
            self::markTestSkipped('needs the extension');
        }
        $this->open(new Options(connections: 5, connectionsPerHost: 4));
        $this->users(\range(1, 12));
        $found = \Sluice\Coroutine\run(function (): array {
            return \Sluice\Coroutine\map(\range(1, 12), function (int $i): int {
                $db = new \Sluice\Sharding\PDO($this->shop, attributes: [\PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
                $rows = $db->query('/*vt+ ALLOW_SCATTER=1 */ SELECT id, SLEEP(0.001) FROM users ORDER BY id')->fetchAll();
                return \count($rows);
            });
        });
        self::assertSame(\array_fill(0, 12, 12), $found);
        self::assertSame([0, 0], [$this->shop->connections->gate->inUse(), $this->shop->connections->gate->waiting()]);
    }
}
