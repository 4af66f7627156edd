<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, DataProvider};
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{KeyException, Keyspace, Options};
use Sluice\Sharding\Sql\{PlanKind, Planner, Rendered, Route, Router, Unsupported};

/** Where statements go, and which are refused. No shard is asked: there is none. */
#[CoversNothing]
final class PlannerTest extends TestCase
{
    /** @return iterable<string, array{string, PlanKind, list<string>}> the shards of ids: 1 is c0-, 2 is 80-c0, 8 is 40-80, 10 is -40 */
    public static function routed(): iterable
    {
        $one = ['c0-'];
        foreach ([
            ['SELECT * FROM users WHERE id = 1', $one],
            ['select `u`.`name` from `users` as `u` where 1 = `u`.`id` and name like \'%x%\'', $one],
            ['SELECT * FROM users WHERE (id = 1 AND (name = 2 OR age = 3))', $one],
            ['SELECT * FROM users WHERE id = "1" LIMIT 5', $one],
            ['SELECT * FROM users WHERE id = 1 AND id IN (8, 10)', $one],
            ['SELECT * FROM users WHERE id IN (1, 2, 2)', ['80-c0', 'c0-']],
            ['SELECT * FROM users WHERE id IN (10, 8, NULL)', ['-40', '40-80']],
            ['SELECT * FROM users WHERE id = NULL', ['-40']],
            ['SELECT * FROM users u JOIN orders o ON o.user_id = u.id WHERE u.id = 1', $one],
            ['SELECT * FROM users u JOIN orders o ON o.user_id = u.id WHERE o.user_id = 1', $one],
            ['SELECT * FROM users u, orders o WHERE o.user_id = u.id AND u.id = 1', $one],
            ['SELECT * FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.total > 5 WHERE u.id = 1', $one],
            ['SELECT * FROM users u JOIN countries c ON c.code = u.country WHERE u.id = 1', $one],
            ['SELECT * FROM users u WHERE u.id = 1 AND EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id)', $one],
            ['SELECT * FROM users u WHERE u.id = 1 AND 3 < (SELECT COUNT(*) FROM orders WHERE user_id = 1)', $one],
            ['SELECT x.n FROM (SELECT COUNT(*) AS n FROM orders WHERE user_id = 1 GROUP BY total) x', $one],
            ['SELECT id FROM users WHERE id = 1 UNION ALL SELECT id FROM orders WHERE user_id = 1', $one],
            ['SELECT CASE WHEN age BETWEEN 1 AND 2 THEN INTERVAL 1 DAY + born ELSE NULL END FROM users WHERE id = 1 FOR UPDATE', $one],
            ['SELECT ROW_NUMBER() OVER (PARTITION BY age ORDER BY id) FROM users WHERE id = 1', $one],
            ['UPDATE users SET age = age + 1 WHERE id = 1', $one],
            ['DELETE FROM users WHERE id IN (1)', $one],
            ['SELECT * FROM main.users WHERE id = 1', $one],
        ] as [$sql, $shards]) {
            yield $sql => [$sql, PlanKind::ByKey, $shards];
        }
        yield 'a reference table' => ['SELECT * FROM countries', PlanKind::AnyShard, ['-40']];
        yield 'no table' => ['SELECT 1', PlanKind::AnyShard, ['-40']];
        yield 'all' => ['/*vt+ ALLOW_SCATTER */ SELECT * FROM users', PlanKind::Scatter, ['-40', '40-80', '80-c0', 'c0-']];
        yield 'a join on all' => ['/*vt+ ALLOW_SCATTER=1 */ SELECT * FROM users u JOIN orders o ON u.id = o.user_id', PlanKind::Scatter, ['-40', '40-80', '80-c0', 'c0-']];
        yield 'a write of a reference table' => ["UPDATE countries SET name = 'x'", PlanKind::WriteEverywhere, ['-40', '40-80', '80-c0', 'c0-']];
    }

    /** @param list<string> $shards */
    #[DataProvider('routed')]
    public function testAStatementGoesToTheShardsOfItsKeys(string $sql, PlanKind $kind, array $shards): void
    {
        $plan = (new Planner(self::keyspace()))->plan($sql);
        self::assertSame($kind, $plan->kind);
        self::assertSame($shards, \array_map(static fn(Route $route) => $route->shard->name, Router::routes($plan, [])));
    }

    /** @return iterable<string, array{string, list<int|string>, list<string>}> shards that a range of a key with the vindex numeric is on; 40-80 begins at 2^62 */
    public static function ranges(): iterable
    {
        foreach ([
            ['id < 5', [], ['-40']],
            ['id BETWEEN 5 AND ?', ['4611686018427387904'], ['-40', '40-80']],
            ['id BETWEEN 5 AND ?', ['4611686018427387903'], ['-40']],
            ['id >= ? AND id < ?', ['9223372036854775808', '18446744073709551615'], ['80-c0', 'c0-']],
            ['? < id', ['13835058055282163712'], ['c0-']],
            ['id > 10 AND id < 5', [], ['-40']],
            ['id > ? AND id < 5', ['9223372036854775808'], ['-40']],
            ['id > NULL', [], ['-40']],
            ['id > 5 AND id = 7', [], ['-40']],
        ] as [$where, $parameters, $shards]) {
            yield $where . ' ' . \implode(', ', $parameters) => [$where, $parameters, $shards];
        }
    }

    /**
     * @param list<int|string> $parameters
     * @param list<string> $shards
     */
    #[DataProvider('ranges')]
    public function testARangeGoesToTheShardsItIsOnWhenTheVindexKeepsTheOrder(string $where, array $parameters, array $shards): void
    {
        $plan = (new Planner(self::ordered()))->plan("SELECT * FROM events WHERE $where");
        self::assertSame($shards, \array_map(static fn(Route $route) => $route->shard->name, Router::routes($plan, $parameters)));
    }

    public function testARangeOnAllShardsIsAScatter(): void
    {
        $planner = new Planner(self::ordered());
        self::assertCount(4, Router::routes($planner->plan('/*vt+ ALLOW_SCATTER=1 */ SELECT * FROM events WHERE id > 5'), []));
        $this->expectException(Unsupported::class);
        $this->expectExceptionMessage('a range of events.id that is on all shards');
        Router::routes($planner->plan('SELECT * FROM events WHERE id > 5'), []);
    }

    private static function ordered(): Keyspace
    {
        return Keyspace::of(
            ['sharded' => true, 'vindexes' => ['numeric' => ['type' => 'numeric']], 'tables' => [
                'events' => ['column_vindexes' => [['column' => 'id', 'name' => 'numeric']], 'columns' => [['name' => 'id', 'type' => 'UINT64']]],
            ]],
            ['-40' => 'mysql:host=a', '40-80' => 'mysql:host=b', '80-c0' => 'mysql:host=c', 'c0-' => 'mysql:host=d'],
        );
    }

    /** @return iterable<string, array{string, string, string}> */
    public static function refused(): iterable
    {
        foreach ([
            ['SELECT * FROM users', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE id = 1 OR id = 2', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE NOT id = 1', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE id > 1', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE id = age', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE id = 1 + 1', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE id NOT IN (1)', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE id IN (1, age)', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE id = 1 XOR age = 2', 'VT12001', 'users.id'],
            ['SELECT * FROM users WHERE (id = 1) IS NULL', 'VT12001', 'users.id'],
            ['SELECT * FROM users u LEFT JOIN orders o ON u.id = 1 WHERE o.user_id = 1', 'VT12001', 'need not be on one shard'],
            ['SELECT * FROM users u JOIN orders o ON o.id = u.id WHERE u.id = 1', 'VT12001', 'need not be on one shard'],
            ['SELECT * FROM users u RIGHT JOIN orders o ON o.user_id = u.id WHERE u.id = 1', 'VT12001', 'RIGHT JOIN'],
            ['SELECT * FROM countries c WHERE c.code IN (SELECT country FROM users)', 'VT12001', 'sub-query on users'],
            ['SELECT * FROM users WHERE id = 1 AND age = (SELECT MAX(total) FROM orders)', 'VT12001', 'sub-query on orders'],
            ['SELECT * FROM (SELECT * FROM users) x WHERE id = 1', 'VT12001', 'sub-query on users'],
            ['SELECT id FROM users WHERE id = 1 UNION SELECT id FROM users', 'VT12001', 'sub-query on users'],
            ['SELECT * FROM nope', 'VT05005', 'nope'],
            ['SELECT * FROM other.users WHERE id = 1', 'VT05005', 'other.users'],
            ['SELECT * FROM users WHERE id = 1 /*!50000 OR 1 */', 'VT12001', '/*!'],
            ['SELECT * FROM users WHERE id = 1; DELETE FROM users', 'VT12001', 'end of the statement'],
            ['SELECT * FROM users WHERE id = 1 FOO BAR', 'VT12001', '"FOO"'],
            ['/*vt+ ALLOW_SCATER=1 */ SELECT * FROM users', 'VT12001', 'ALLOW_SCATER'],
            ['INSERT INTO users (name) VALUES (1)', 'VT09003', "'id'"],
            ['INSERT INTO users VALUES (1)', 'VT09004', 'no list of columns'],
            ['INSERT INTO users (id, name) VALUES (1)', 'VT03006', '1 values for 2 columns'],
            ['INSERT INTO users (id) VALUES (1 + 1)', 'VT12001', 'users.id'],
            ['INSERT INTO users (id) SELECT 1', 'VT12001', 'with a SELECT'],
            ['INSERT INTO users (id) VALUES (1) ON DUPLICATE KEY UPDATE id = 2', 'VT12001', 'users.id'],
            ['UPDATE users SET id = 2 WHERE id = 1', 'VT12001', 'users.id'],
            ['UPDATE users SET age = 2', 'VT12001', 'users.id'],
            ['UPDATE users u JOIN orders o ON o.user_id = u.id SET u.age = 1 WHERE u.id = 1', 'VT12001', 'several tables'],
            ['DELETE u FROM users u WHERE id = 1', 'VT12001', 'several tables'],
            ['ALTER TABLE users ADD x INT', 'VT12001', 'sluice shard migrate'],
            ['LOAD DATA INFILE "x" INTO TABLE users', 'VT12001', 'begins with "LOAD"'],
        ] as [$sql, $code, $what]) {
            yield $sql => [$sql, $code, $what];
        }
    }

    #[DataProvider('refused')]
    public function testWhatIsNotCertainIsRefused(string $sql, string $code, string $what): void
    {
        try {
            (new Planner(self::keyspace()))->plan($sql);
            self::fail("$sql was not refused");
        } catch (Unsupported $error) {
            self::assertSame($code, $error->vitessCode);
            self::assertStringContainsString($what, $error->getMessage());
        }
    }

    public function testKeysOnTwoShardsAreRefusedWhenTheyAreKnown(): void
    {
        $plan = (new Planner(self::keyspace()))->plan('SELECT * FROM users u JOIN orders o WHERE u.id = ? AND o.user_id = ?');
        self::assertSame('c0-', Router::routes($plan, [1, 1])[0]->shard->name);
        $this->expectException(Unsupported::class);
        $this->expectExceptionMessage('on different shards (c0- and 80-c0)');
        Router::routes($plan, [1, 2]);
    }

    public function testANumberIsNoKeyOfAColumnOfTexts(): void
    {
        $keyspace = Keyspace::of(
            ['sharded' => true, 'vindexes' => ['x' => ['type' => 'xxhash']], 'tables' => ['t' => ['column_vindexes' => [['column' => 'name', 'name' => 'x']], 'columns' => [['name' => 'name', 'type' => 'VARCHAR']]]]],
            ['-80' => 'mysql:host=nowhere', '80-' => 'mysql:host=nowhere'],
        );
        self::assertCount(1, Router::routes((new Planner($keyspace))->plan("SELECT * FROM t WHERE name = '5'"), []));
        $this->expectException(KeyException::class);
        $this->expectExceptionMessage('The key 5 is no string');
        Router::routes((new Planner($keyspace))->plan('SELECT * FROM t WHERE name = 5'), []);
    }

    public function testParametersFollowTheirPlacesInAStatementThatIsChanged(): void
    {
        $plan = (new Planner(self::keyspace()))->plan('SELECT :a, x.name FROM main.users x WHERE id = :id AND age = :a');
        $rendered = Rendered::of($plan->statement, Rendered::names($plan, ''));
        self::assertSame('SELECT ?, x.name FROM users x WHERE id = ? AND age = ?', $rendered->sql);
        self::assertSame(['a', 'id', 'a'], $rendered->parameters);
    }

    /** @return iterable<string, array{string, string|null}> */
    public static function inADatabase(): iterable
    {
        foreach ([
            ['SELECT name FROM users WHERE id = :id', 'SELECT name FROM `shop_1`.users WHERE id = ?'],
            ['SELECT u.id FROM main.users u JOIN `orders` ON orders.user_id = u.id JOIN countries USING (code) WHERE u.id IN (5)', 'SELECT u.id FROM `shop_1`.users u JOIN `shop_1`.`orders` ON orders.user_id = u.id JOIN `shop_1`.countries USING (code) WHERE u.id IN (5)'],
            ['SELECT COUNT(*) FROM users WHERE id = 5 AND EXISTS (SELECT 1 FROM orders WHERE user_id = 5)', 'SELECT COUNT(*) FROM `shop_1`.users WHERE id = 5 AND EXISTS (SELECT 1 FROM `shop_1`.orders WHERE user_id = 5)'],
            ['INSERT INTO users(id) VALUES (?)', 'INSERT INTO `shop_1`.users(id) VALUES (?)'],
            ['UPDATE users SET users.age = 1 WHERE users.id = 4', 'UPDATE `shop_1`.users SET users.age = 1 WHERE users.id = 4'],
            ['SELECT DATABASE() FROM users WHERE id = 4', null],
            ['SELECT a_function(name) FROM users WHERE id = 4', null],
            ['SELECT @x FROM users WHERE id = 4', null],
            ['SELECT code FROM countries', null],
        ] as [$sql, $expected]) {
            yield $sql => [$sql, $expected];
        }
    }

    #[DataProvider('inADatabase')]
    public function testAStatementNamesItsDatabaseWhenItMeansTheSame(string $sql, ?string $expected): void
    {
        self::assertSame($expected, Rendered::plain((new Planner(self::keyspace()))->plan($sql), '')->in('shop_1'));
    }

    public function testPlansAreKeptUpToTheirNumber(): void
    {
        $planner = new Planner(self::keyspace());
        $first = $planner->plan('SELECT 1');
        self::assertSame($first, $planner->plan('SELECT 1'));
        for ($i = 2; $i < 20; ++$i) {
            $planner->plan("SELECT $i");
        }
        self::assertNotSame($first, $planner->plan('SELECT 1'));
    }

    private static function keyspace(): Keyspace
    {
        $key = static fn(string $column): array => ['column_vindexes' => [['column' => $column, 'name' => 'xxhash']], 'columns' => [['name' => $column, 'type' => 'INT64']]];
        return Keyspace::of(
            ['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash']], 'tables' => ['users' => $key('id'), 'orders' => $key('user_id'), 'countries' => ['type' => 'reference']]],
            ['-40' => 'mysql:host=nowhere', '40-80' => 'mysql:host=nowhere', '80-c0' => 'mysql:host=nowhere', 'c0-' => 'mysql:host=nowhere'],
            new Options(plans: 10),
        );
    }
}
