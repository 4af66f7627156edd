<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Keyspace, Shard, ShardingException};
use Sluice\Sharding\Reshard\{LoggedChanges, Progress};
use Sluice\Sharding\Tests\rig\Shop;

/** The first of the servers has a binary log of rows. */
#[CoversNothing]
final class LoggedChangesTest extends TestCase
{
    private const TABLE = "CREATE TABLE s (a TINYINT, b SMALLINT, c MEDIUMINT, d FLOAT, e DOUBLE, f DECIMAL(20,7), g BIT(11), h YEAR, i TIME(2), j DATETIME(3), k TIMESTAMP(6) NULL, l CHAR(255) CHARACTER SET utf8mb4,
        m TEXT, n LONGBLOB, o ENUM('x','y'), p SET('x','y'), q JSON, r GEOMETRY, t VARCHAR(20), u VARBINARY(300), v CHAR(3), w DATE, x TIME, y DECIMAL(5,5),
        name VARCHAR(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, day DATE, short CHAR(70) CHARACTER SET utf8mb4, no SMALLINT, id BIGINT UNSIGNED, PRIMARY KEY (id, no, name, day, short)) CHARACTER SET latin1";
    private const VALUES = "-1, 2, 3, 1.5, 2.5, -1234.5678, b'101', 2020, '-10:00:00.5', '2020-02-03 04:05:06.789', '2020-02-03 04:05:06.789', 'é', 'text', 'blob', 'y', 'x,y', '{\"a\": 1}', POINT(1, 2), 'var', 'bin', 'abc', '2020-01-02', '11:00', 0.12345";
    private Shard $shard;
    private Progress $progress;

    protected function setUp(): void
    {
        $this->shard = Keyspace::of(['tables' => ['s' => []]], Shop::shards('logged', 1, [self::TABLE, 'CREATE TABLE other (id INT PRIMARY KEY)']))->onlyShard();
        $this->progress = new Progress($this->shard);
        $this->progress->create();
    }

    public function testKeysAreReadWhateverIsBesideThem(): void
    {
        $changes = $this->begun();
        self::assertSame([], $changes->read(100));
        $nulls = \implode(', ', \array_fill(0, 24, 'NULL'));
        $this->execute('INSERT INTO s VALUES (' . self::VALUES . ", 'ünï', '2024-12-31', 'a', -5, 18446744073709551615), ($nulls, '" . \str_repeat('é', 200) . "', '1000-01-01', '', 7, 1)");
        $this->execute('INSERT INTO other VALUES (1)');
        $first = ['18446744073709551615', -5, 'ünï', '2024-12-31', 'a'];
        $second = [1, 7, \str_repeat('é', 200), '1000-01-01', ''];
        self::assertSame(['s' => [$first, $second]], $changes->read(100));
        $changes->forget();
        self::assertSame([], $changes->read(100));
        $this->execute("UPDATE s SET no = 8, m = 'longer' WHERE id = 1");
        $second[1] = 8;
        self::assertSame(['s' => [[1, 7, ...\array_slice($second, 2)], $second]], $changes->read(100));
        $changes->forget();
        $this->execute('DELETE FROM s');
        // Another process goes on where this one has forgotten.
        $keys = $this->begun()->read(100)['s'] ?? [];
        self::assertEqualsCanonicalizing([$first, $second], $keys);
    }

    public function testAPreparedTransactionCountsWhenItIsCommitted(): void
    {
        $changes = $this->begun();
        $insert = static fn(int $id): string => "INSERT INTO s (name, day, short, no, id) VALUES ('a', '2020-01-01', 'b', 1, $id)";
        $db = Shop::connect($this->shard->address->dsn);
        foreach (["XA START 'one','b'", $insert(1), "XA END 'one','b'", "XA PREPARE 'one','b'"] as $sql) {
            $db->exec($sql);
        }
        $this->execute($insert(2));
        self::assertSame([2], \array_column($changes->read(100)['s'] ?? [], 0));
        $changes->forget();
        $other = $this->begun();
        $db->exec("XA COMMIT 'one','b'");
        self::assertSame([1], \array_column($changes->read(100)['s'] ?? [], 0));
        self::assertEqualsCanonicalizing([1, 2], \array_column($other->read(100)['s'] ?? [], 0));
        $changes->forget();
        foreach (["XA START 'two'", $insert(3), "XA END 'two'", "XA PREPARE 'two'", "XA ROLLBACK 'two'"] as $sql) {
            $db->exec($sql);
        }
        self::assertSame([], $changes->read(100));
    }

    public function testAStatementInTheLogIsRefused(): void
    {
        $changes = $this->begun();
        $this->execute('TRUNCATE TABLE s');
        $this->expectException(ShardingException::class);
        $this->expectExceptionMessage('"TRUNCATE TABLE s" is in the binary log as a statement');
        $changes->read(100);
    }

    public function testAKeyThatIsNotReadFromTheLogIsLeftToTriggers(): void
    {
        $this->execute('CREATE TABLE latin (name VARCHAR(20) CHARACTER SET latin1 PRIMARY KEY)');
        self::assertNull(LoggedChanges::of($this->shard, ['s', 'latin'], $this->progress));
    }

    private function begun(): LoggedChanges
    {
        $changes = LoggedChanges::of($this->shard, ['s'], $this->progress) ?? self::fail('the log cannot be read');
        $changes->begin();
        return $changes;
    }

    private function execute(string $sql): void
    {
        $this->shard->use(static fn(\PDO $db) => $db->exec($sql));
    }
}
