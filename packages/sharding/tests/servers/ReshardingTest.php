<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\Attributes\{CoversNothing, Group};
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Ask, ConfigurationException, Keyspace, PDO, Resharding, Shard, ShardingException, ShardMovedException, TransactionMode, Verification};
use Sluice\Sharding\Tests\rig\Shop;

#[CoversNothing]
final class ReshardingTest extends TestCase
{
    private const TABLES = ['CREATE TABLE t (id BIGINT UNSIGNED PRIMARY KEY, f FLOAT, d DECIMAL(10,3), b VARBINARY(8), at TIMESTAMP NULL, name VARCHAR(20))', 'CREATE TABLE r (code CHAR(2) PRIMARY KEY)'];
    private const VSCHEMA = ['t' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']], 'columns' => [['name' => 'id', 'type' => 'UINT64']]], 'r' => ['type' => 'reference']];

    /** Four processes write with the old map while the one that reshards is killed at each step: nothing is lost or doubled, and nobody sees an error. */
    #[Group('kills')]
    public function testAReshardingThatIsKilledGoesOn(): void
    {
        $from = Shop::keyspace('old', 2, self::TABLES, self::VSCHEMA);
        $to = Shop::keyspace('new', 4, [], self::VSCHEMA);
        $db = new PDO($from);
        for ($id = 1; $id <= 800; ++$id) {
            $db->exec("INSERT INTO t (id, name) VALUES ($id, 'old')");
        }
        $logs = [];
        $writers = [];
        $inputs = [];
        for ($i = 0; $i < 4; ++$i) {
            $logs[$i] = (string) \tempnam(\sys_get_temp_dir(), 'sluice-writer-');
            [$writers[$i], [$inputs[$i]]] = self::start(['write', (string) $i], ['file', $logs[$i], 'a']);
        }
        $lines = static fn(): int => \min(\array_map(static fn(string $log) => \count(\file($log) ?: []), $logs));
        self::waitUntil(static fn() => $lines() > 20, 'the writers write');
        foreach (['prepared', 'copied', 'verified', 'fenced', 'paused', 'switched', 'retired', 'paused', 'switched'] as $step) {
            [$process, [, $output]] = self::start(['reshard'], ['pipe', 'w']);
            do {
                $line = \fgets($output);
            } while ($line !== false && !\str_starts_with($line, $step));
            \proc_terminate($process, \SIGKILL);
            \proc_close($process);
        }
        for ($i = \getenv('SLUICE_TORTURE') === false ? 0 : 100; $i > 0; --$i) {
            [$process] = self::start(['reshard'], ['file', '/dev/null', 'w']);
            \usleep(\random_int(0, 300_000));  // Where it is killed is left to chance; nothing is waited for.
            \proc_terminate($process, \SIGKILL);
            \proc_close($process);
        }
        [$process] = self::start(['reshard'], ['file', '/dev/null', 'w']);
        self::assertSame(0, \proc_close($process));
        $enough = $lines() + 50;
        self::waitUntil(static fn() => $lines() > $enough, 'the writers go on at the new shards');
        foreach ($writers as $i => $writer) {
            \fwrite($inputs[$i], "stop\n");
            self::assertSame(0, \proc_close($writer));
        }
        $expected = [];
        foreach ($logs as $log) {
            foreach (\file($log, \FILE_IGNORE_NEW_LINES) ?: [] as $line) {
                [$id, $name] = \explode(' ', $line);
                $expected[(int) $id] = $name;
            }
            \unlink($log);
        }
        self::assertSame([], (new Verification($to))->run());
        $there = [];
        foreach ((new PDO($to))->query('/*vt+ ALLOW_SCATTER=1 */ SELECT id, name FROM t ORDER BY id')->fetchAll(\PDO::FETCH_NUM) as $row) {
            \assert(\is_array($row) && \is_int($row[0]));
            self::assertArrayNotHasKey($row[0], $there);
            $there[$row[0]] = $row[1];
        }
        self::assertGreaterThan(100, \count($expected));
        foreach ($expected as $id => $name) {
            self::assertSame($name === '-' ? null : $name, $there[$id] ?? null, "row $id");
        }
        // This process has the old map, too, and finds its way.
        self::assertSame(\count($there), $db->query('/*vt+ ALLOW_SCATTER=1 */ SELECT COUNT(*) FROM t')->fetchColumn());
        self::assertSame(['-40', '40-80', '80-c0', 'c0-'], \array_map(static fn(Shard $shard) => $shard->name, $from->shards()));
        $resharding = new Resharding(Shop::known('old', 2, self::VSCHEMA), $to);
        try {
            $resharding->rollBack();
            self::fail('shards that were switched are rolled back');
        } catch (ShardingException $error) {
            self::assertStringContainsString('have moved already', $error->getMessage());
        }
        $resharding->finish();
    }

    /**
     * @param list<string> $words
     * @param list<string> $output of proc_open()
     * @return array{resource, array<int, resource>}
     */
    private static function start(array $words, array $output): array
    {
        $process = \proc_open([\PHP_BINARY, \dirname(__DIR__) . '/rig/resharding.php', ...$words], [['pipe', 'r'], $output, \STDERR], $pipes);
        return \is_resource($process) ? [$process, $pipes] : throw new \RuntimeException('cannot be started');
    }

    /** @param \Closure(): bool $condition */
    private static function waitUntil(\Closure $condition, string $what): void
    {
        for ($deadline = \microtime(true) + 60; !$condition(); \usleep(10_000)) {
            self::assertLessThan($deadline, \microtime(true), "$what, within 60 s");
        }
    }

    public function testRowsThatChangeMeanwhileAreOnTheirNewShards(): void
    {
        $from = Shop::keyspace('old', 2, self::TABLES, self::VSCHEMA);
        $to = Shop::keyspace('new', 4, [], self::VSCHEMA);
        $db = new PDO($from);
        $db->exec("INSERT INTO r VALUES ('de')");
        $insert = $db->prepare('INSERT INTO t (id, f, d, b, at, name) VALUES (?, ?, ?, ?, ?, ?)');
        for ($id = 1; $id <= 1200; ++$id) {
            $insert->execute([$id, $id / 7, "$id.125", \md5((string) $id, true)[0] . "\0\xff", $id % 5 === 0 ? null : '2020-01-01 10:00:00', "it's $id"]);
        }
        $insert->execute(['18446744073709551615', 1.1, '0', null, null, null]);
        // Each step is done by an object of its own, and twice, as after a kill.
        (new Resharding($from, $to))->prepare();
        (new Resharding($from, $to))->prepare();
        $how = static fn(\PDO $db) => Ask::text($db, "SELECT value FROM _sluice_progress WHERE name = 'changes'");
        self::assertSame(['-80' => 'logged', '80-' => 'noted'], $from->table('t')->scatter($how)->results, 'by its binary log on the first server, by triggers on the second');
        $db->exec("UPDATE t SET name = 'before' WHERE id IN (1, 2, 3)");
        self::assertSame(1201, (new Resharding($from, $to))->copy() - 2);
        self::assertSame(0, (new Resharding($from, $to))->copy());
        $db->exec("UPDATE t SET name = 'after' WHERE id IN (2, 3)");
        $db->exec('DELETE FROM t WHERE id IN (4, 18446744073709551615)');
        $db->exec("INSERT INTO t (id, f) VALUES (5000, 0.1), (18446744073709551614, 0.2)");
        self::assertNotSame([], (new Resharding($from, $to))->verify(follows: false));
        self::assertSame(0, (new Resharding($from, $to))->follow());
        self::assertSame([], (new Resharding($from, $to))->verify());
        (new Resharding($from, $to))->rollBack();
        $db->exec("UPDATE t SET name = 'rolled back' WHERE id = 1");
        self::assertSame([[2]], $db->query("SELECT COUNT(*) + 1 FROM t WHERE id = 1")->fetchAll(\PDO::FETCH_NUM));
        $resharding = new Resharding($from, $to);
        self::assertSame([], $resharding->run(static fn(string $line) => null));
        self::assertSame([], (new Verification($to))->run());
        $new = new PDO($to);
        self::assertSame([[1, 'rolled back'], [2, 'after'], [3, 'after']], $new->query('SELECT id, name FROM t WHERE id IN (1, 2, 3, 4, 18446744073709551615) ORDER BY id')->fetchAll(\PDO::FETCH_NUM));
        self::assertSame([[1201]], $new->query('/*vt+ ALLOW_SCATTER=1 */ SELECT COUNT(*) FROM t')->fetchAll(\PDO::FETCH_NUM));
        self::assertSame(['1', '1', '1', '1'], \array_values($to->table('r')->scatter(static fn(\PDO $db) => Ask::text($db, 'SELECT COUNT(*) FROM r'))->results));
        // Whoever has the old map is sent on: with a statement, and in a transaction.
        self::assertSame(1, $db->exec("UPDATE t SET name = 'sent on' WHERE id = 1"));
        self::assertSame('sent on', $new->query('SELECT name FROM t WHERE id = 1')->fetchColumn());
    }

    public function testASessionWithTheOldMapIsSentOnWithinATransaction(): void
    {
        [$from, $to] = $this->moved();
        $db = new PDO($from);
        $db->beginTransaction(TransactionMode::Ordered);
        $db->exec("UPDATE t SET name = 'one' WHERE id = 1");
        $db->exec("INSERT INTO t (id, name) VALUES (2000, 'x') ON DUPLICATE KEY UPDATE name = 'x'") === 1 || self::fail();
        $db->rollBack();
        self::assertSame('old', (new PDO($to))->query('SELECT name FROM t WHERE id = 1')->fetchColumn());
        self::assertCount(4, $from->shards());
    }

    #[Group('kills')]
    public function testWhoOnlyReadsSeesWhatOthersHaveWritten(): void
    {
        $more = \array_map(static fn(int $i) => "more$i", \range(0, 7));
        $vschema = \array_fill_keys($more, ['type' => 'reference']) + self::VSCHEMA;
        $from = Shop::keyspace('old', 2, [...\array_map(static fn(string $name) => "CREATE TABLE $name (id INT PRIMARY KEY)", $more), ...self::TABLES], $vschema);
        $to = Shop::keyspace('new', 4, [], $vschema);
        $writer = new PDO($from);
        $reader = new PDO(Shop::known('old', 2, $vschema));
        // So many that each stands still for long enough to be compared.
        for ($id = 1; $id <= 300; ++$id) {
            $writer->exec("INSERT INTO t (id, name) VALUES ($id, '0')");
        }
        [$process, [, $output]] = self::start(['reshard', \json_encode($vschema, \JSON_THROW_ON_ERROR)], ['pipe', 'w']);
        \stream_set_blocking($output, false);
        for ($i = 1, $said = ''; \proc_get_status($process)['running']; ++$i) {
            $id = $i % 300 + 1;
            $writer->exec("UPDATE t SET name = '$i' WHERE id = $id");
            self::assertSame((string) $i, $reader->query("SELECT name FROM t WHERE id = $id")->fetchColumn());
            $said .= \stream_get_contents($output);
        }
        \proc_close($process);
        self::assertSame(2, \substr_count($said, 'retired'), $said);
        self::assertCount(4, $from->shards());
    }

    public function testWorkOnAShardWhoseRowsHaveMovedGetsAnExceptionAndThenTheNewShard(): void
    {
        [$from] = $this->moved();
        $old = $from->table('t')->shard(1);
        try {
            $old->use(static fn(\PDO $db) => $db->exec("UPDATE t SET name = 'lost' WHERE id = 1"));
            self::fail('rows that have moved are written');
        } catch (ShardMovedException $error) {
            self::assertSame($old, $error->shard);
        }
        self::assertSame(1, $from->table('t')->shard(1)->use(static fn(\PDO $db) => $db->exec("UPDATE t SET name = 'found' WHERE id = 1")));
    }

    public function testShardsAreJoined(): void
    {
        $from = Shop::keyspace('old', 4, self::TABLES, self::VSCHEMA);
        $to = Shop::keyspace('new', 2, [], self::VSCHEMA);
        $db = new PDO($from);
        for ($id = 1; $id <= 100; ++$id) {
            $db->exec("INSERT INTO t (id, name) VALUES ($id, 'old')");
        }
        $db->exec("INSERT INTO r VALUES ('de')");
        self::assertSame([], (new Resharding($from, $to))->run(static fn(string $line) => null));
        self::assertSame([[100]], $db->query('/*vt+ ALLOW_SCATTER=1 */ SELECT COUNT(*) FROM t')->fetchAll(\PDO::FETCH_NUM));
        self::assertSame(['-80', '80-'], \array_map(static fn(Shard $shard) => $shard->name, $from->shards()));
        self::assertSame([], (new Verification($to))->run());
    }

    public function testANewShardHasADatabaseOfItsOwn(): void
    {
        $from = Shop::known('old', 2, self::VSCHEMA);
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage('The new shard -40 is in the database of the old shard -80');
        new Resharding($from, Shop::known('old', 4, self::VSCHEMA));
    }

    public function testAForeignKeyThatChangesRowsIsRefused(): void
    {
        $from = Shop::keyspace('old', 2, [...self::TABLES, 'CREATE TABLE items (id BIGINT UNSIGNED, t BIGINT UNSIGNED, PRIMARY KEY (id), CONSTRAINT of_t FOREIGN KEY (t) REFERENCES t (id) ON DELETE CASCADE)'], self::VSCHEMA);
        $this->expectException(ShardingException::class);
        $this->expectExceptionMessage('The foreign key of_t of items on the shard -80 changes rows by itself');
        (new Resharding($from, Shop::keyspace('new', 4, [], self::VSCHEMA)))->prepare();
    }

    /** @return array{Keyspace, Keyspace} the old map, which knows of nothing, and the new one */
    private function moved(): array
    {
        $from = Shop::keyspace('old', 2, self::TABLES, self::VSCHEMA);
        $to = Shop::keyspace('new', 4, [], self::VSCHEMA);
        (new PDO($from))->exec("INSERT INTO t (id, name) VALUES (1, 'old'), (2, 'old'), (3, 'old'), (4, 'old')");
        self::assertSame([], (new Resharding($from, $to))->run(static fn(string $line) => null));
        return [Shop::known('old', 2, self::VSCHEMA), $to];
    }
}
