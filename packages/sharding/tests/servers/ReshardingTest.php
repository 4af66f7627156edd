<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Ask, PDO, Resharding, Verification};
use Sluice\Sharding\Tests\rig\Shop;

#[CoversNothing]
final class ReshardingTest extends TestCase
{
    private const TABLES = ['CREATE TABLE t (id BIGINT UNSIGNED PRIMARY KEY, f FLOAT, d DECIMAL(10,3), b VARBINARY(8), at TIMESTAMP NULL, name VARCHAR(20))', 'CREATE TABLE r (code CHAR(2) PRIMARY KEY)'];
    private const VSCHEMA = ['t' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']], 'columns' => [['name' => 'id', 'type' => 'UINT64']]], 'r' => ['type' => 'reference']];

    /** Four processes write while the one that reshards is killed again and again: nothing is lost or doubled. */
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
        for ($i = 0; $i < 4; ++$i) {
            $logs[$i] = (string) \tempnam(\sys_get_temp_dir(), 'sluice-writer-');
            $writers[$i] = self::start('write', (string) $i, $logs[$i]);
        }
        for ($kills = 0; $kills < 5; ++$kills) {
            $process = self::start('reshard', '', '/dev/null');
            \usleep(\random_int(50_000, 400_000));  // Where it is killed is left to chance; nothing is waited for.
            \proc_terminate($process, \SIGKILL);
            \proc_close($process);
        }
        self::assertSame(0, \proc_close(self::start('reshard', '', '/dev/null')));
        foreach ($writers as $writer) {
            self::assertSame(0, \proc_close($writer), 'a writer ends when it meets the fence');
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
    }

    /** @return resource */
    private static function start(string $what, string $number, string $log)
    {
        $process = \proc_open([\PHP_BINARY, \dirname(__DIR__) . '/rig/resharding.php', $what, $number], [['file', '/dev/null', 'r'], ['file', $log, 'a'], \STDERR], $pipes);
        return \is_resource($process) ? $process : throw new \RuntimeException('cannot be started');
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
        $db->exec("UPDATE t SET name = 'before' WHERE id IN (1, 2, 3)");
        self::assertSame(1201, (new Resharding($from, $to))->copy() - 2);
        self::assertSame(0, (new Resharding($from, $to))->copy());
        $db->exec("UPDATE t SET name = 'after' WHERE id IN (2, 3)");
        $db->exec('DELETE FROM t WHERE id IN (4, 18446744073709551615)');
        $db->exec("INSERT INTO t (id, f) VALUES (5000, 0.1), (18446744073709551614, 0.2)");
        self::assertNotSame([], (new Resharding($from, $to))->verify());
        self::assertSame(0, (new Resharding($from, $to))->follow());
        $resharding = new Resharding($from, $to);
        $resharding->fence();
        try {
            $db->exec("UPDATE t SET name = 'lost' WHERE id = 1");
            self::fail('a write has passed the fence');
        } catch (\PDOException $error) {
            self::assertStringContainsString('have moved', $error->getMessage());
        }
        self::assertSame(0, $resharding->follow());
        self::assertSame([], $resharding->verify());
        self::assertSame([], (new Verification($to))->run());
        $new = new PDO($to);
        self::assertSame([[1, 'before'], [2, 'after'], [3, 'after']], $new->query('SELECT id, name FROM t WHERE id IN (1, 2, 3, 4, 18446744073709551615) ORDER BY id')->fetchAll(\PDO::FETCH_NUM));
        $resharding->finish();
        self::assertSame([[1201]], $new->query('/*vt+ ALLOW_SCATTER=1 */ SELECT COUNT(*) FROM t')->fetchAll(\PDO::FETCH_NUM));
        self::assertSame(['1', '1', '1', '1'], \array_values($to->table('r')->scatter(static fn(\PDO $db) => Ask::text($db, 'SELECT COUNT(*) FROM r'))->results));
        $resharding->rollBack();
        self::assertSame(1, $db->exec("UPDATE t SET name = 'open' WHERE id = 1"));
    }
}
