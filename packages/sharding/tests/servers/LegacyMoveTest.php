<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Address, Ask, ConfigurationException, Keyspace, LegacyConfiguration, PDO, Resharding, Shard, ShardMovedException, ShardingException, Verification};
use Sluice\Sharding\Tests\rig\Shop;

/** From tables with numbers, which classes for sharding by hand have, to shards by ranges of a hash. */
#[CoversNothing]
final class LegacyMoveTest extends TestCase
{
    private const USER = ['user' => ['column_vindexes' => [['column' => 'uid', 'name' => 'xxhash']], 'columns' => [['name' => 'uid', 'type' => 'INT64']]]];

    public function testNumberedTablesMoveToShardsByHashWhileTheyAreWritten(): void
    {
        $from = $this->legacy('uid BIGINT PRIMARY KEY, name VARCHAR(20)');
        $to = Shop::keyspace('new', 4, [], self::USER);
        $db = new PDO($from);
        $expected = [];
        for ($uid = -100; $uid < 300; ++$uid) {
            $db->exec("INSERT INTO user (uid, name) VALUES ($uid, 'old')");
            $expected[$uid] = 'old';
        }
        $users = $from->table('user');
        self::assertSame(['user_2', '-0001'], [$users->name(4), $users->shard(4)->name]);
        $other = new PDO($this->known());
        $said = [];
        $moved = (new Resharding($from, $to))->run(static function (string $line) use (&$said, &$expected, $db, $other): void {
            $said[] = $line;
            if (\str_starts_with($line, 'paused')) {
                return;  // Writers wait now, and this one is the only one.
            }
            $what = \substr($line, 0, 10);
            foreach ([$db, $other] as $i => $session) {
                $uid = \count($said) * 2 + $i;
                $session->exec("UPDATE user SET name = '$what' WHERE uid = $uid");
                $session->exec('DELETE FROM user WHERE uid = ' . -$uid - 1);
                $session->exec('INSERT INTO user (uid, name) VALUES (' . 1000 + $uid . ", 'new')");
                $expected[$uid] = $what;
                unset($expected[-$uid - 1]);
                $expected[1000 + $uid] = 'new';
            }
        });
        self::assertSame([], $moved);
        self::assertSame([], (new Verification($to))->run());
        $this->assertRows($expected, new PDO($to));
        // Who has the old map and the old VSchema finds the new ones: with statements, and with a table that it holds.
        $this->assertRows($expected, $db);
        $this->assertRows($expected, $other);
        self::assertSame(['-40', '40-80', '80-c0', 'c0-'], \array_map(static fn(Shard $shard) => $shard->name, $from->shards()));
        self::assertSame(['user', $to->table('user')->shard(4)->name], [$users->name(4), $users->shard(4)->name]);
        // Work on a plain PDO that began before gets an exception, and writes nothing.
        $late = $this->known()->table('user');
        try {
            $late->shard(4)->use(static fn(\PDO $plain) => $plain->exec("UPDATE user_2 SET name = 'lost' WHERE uid = 4"));
            self::fail('rows that have moved are written');
        } catch (ShardMovedException) {
            self::assertSame(['user', '1'], [$late->name(4), (string) $late->shard(4)->use(static fn(\PDO $plain) => $plain->exec("UPDATE user SET name = 'found' WHERE uid = 4"))]);
        }
        (new Resharding($this->known(), $to))->finish();
    }

    public function testAMoveOfNumberedTablesRollsBack(): void
    {
        $from = $this->legacy('uid BIGINT PRIMARY KEY, name VARCHAR(20)');
        $to = Shop::keyspace('new', 4, [], self::USER);
        $db = new PDO($from);
        $db->exec("INSERT INTO user (uid, name) VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        foreach ([1, 2] as $ignored) {
            $moving = new Resharding($from, $to);
            $moving->prepare();
            self::assertSame(3, $moving->copy());
            $db->exec("UPDATE user SET name = 'changed' WHERE uid = 2");
            self::assertSame(0, $moving->follow());
            self::assertSame([], $moving->verify());
            $moving->rollBack();
        }
        $this->assertRows([1 => 'a', 2 => 'changed', 3 => 'c'], $db);
    }

    public function testTablesWhoseRowsCouldMeetAreRefused(): void
    {
        $from = $this->legacy('number INT AUTO_INCREMENT PRIMARY KEY, uid BIGINT');
        try {
            (new Resharding($from, Shop::keyspace('new', 4, [], self::USER)))->prepare();
            self::fail('tables whose numbers could be equal are put together');
        } catch (ShardingException $error) {
            self::assertStringContainsString('The primary key of user does not have the sharding key', $error->getMessage());
        }
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage('The new VSchema does not have the table user');
        new Resharding($from, Shop::keyspace('new', 4, [], []));
    }

    private function legacy(string $columns): Keyspace
    {
        foreach (Shop::dsns() as $i => $dsn) {
            $db = Shop::connect($dsn);
            $db->exec("DROP DATABASE IF EXISTS legacy$i");
            $db->exec("CREATE DATABASE legacy$i CHARACTER SET utf8mb4");
            foreach ([0, 1, 2] as $number) {
                $db->exec("CREATE TABLE legacy$i.user_$number ($columns)");
            }
        }
        return $this->known();
    }

    private function known(): Keyspace
    {
        $hosts = [];
        foreach (Shop::dsns() as $i => $dsn) {
            $hosts["$i-$i"] = new Address($dsn, 'sluice', 'secret');
        }
        return LegacyConfiguration::keyspace(['database' => 'legacy%d', 'databases' => \count($hosts), 'tables' => 3, 'table_split' => 2, 'hosts' => $hosts], ['user' => 'uid']);
    }

    /** @param array<int, string> $expected */
    private function assertRows(array $expected, PDO $db): void
    {
        \ksort($expected);
        $rows = [];
        foreach ($db->query('/*vt+ ALLOW_SCATTER=1 */ SELECT uid, name FROM user ORDER BY uid')->fetchAll(\PDO::FETCH_NUM) as $row) {
            \assert(\is_array($row) && \is_int($row[0]));
            self::assertArrayNotHasKey($row[0], $rows);
            $rows[$row[0]] = $row[1];
        }
        self::assertSame($expected, $rows);
    }
}
