<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\Attributes\CoversNothing;
use Sluice\Sharding\{Explanation, Migrations, ShardingException, Verification};

#[CoversNothing]
final class CommandTest extends ShopCase
{
    public function testExplainSaysWhereAStatementGoes(): void
    {
        $shard = $this->shop->table('users')->shard(7)->name;
        self::assertSame(['route: by key users.id (xxhash)', "shards: $shard"], Explanation::of($this->shop, 'SELECT * FROM users WHERE id = ?', ['7']));
        self::assertSame(
            ['route: all shards, merged', 'shards: -40, 40-80, 80-c0, c0-', 'merge: sorted rows, streaming, LIMIT on each shard'],
            Explanation::of($this->shop, '/*vt+ ALLOW_SCATTER=1 */ SELECT * FROM users ORDER BY name LIMIT 3'),
        );
    }

    public function testAMigrationIsExecutedOnceOnEachShard(): void
    {
        $migrations = new Migrations($this->shop);
        $statements = Migrations::statements("-- two statements\nALTER TABLE users ADD age INT;\nCREATE TABLE notes (id INT PRIMARY KEY, text TEXT) ;\n");
        self::assertSame([2, 2, 2, 2], \array_values($migrations->run('one.sql', $statements)));
        self::assertSame([0, 0, 0, 0], \array_values($migrations->run('one.sql', $statements)));
        $this->expectExceptionMessage('has another statement number 1 under the name one.sql');
        $migrations->run('one.sql', [$statements[0], 'DROP TABLE notes']);
    }

    public function testAMigrationThatWasBegunIsNotRepeatedByItself(): void
    {
        $migrations = new Migrations($this->shop);
        try {
            $migrations->run('bad.sql', ['ALTER TABLE users ADD id INT']);
            self::fail();
        } catch (\PDOException $error) {
            self::assertStringContainsString('Duplicate column', $error->getMessage());
        }
        $this->expectException(ShardingException::class);
        $this->expectExceptionMessage('The shard -40 has begun');
        $migrations->run('bad.sql', ['ALTER TABLE users ADD id INT']);
    }

    public function testVerifyFindsWhatIsNotWhereItBelongs(): void
    {
        $this->users([1, 2, 3, 4]);
        $this->db->exec("INSERT INTO countries VALUES ('de', 'Germany')");
        self::assertSame([], (new Verification($this->shop))->run());
        $other = $this->shop->table('users')->shard(1) === $this->shop->shards()[0] ? $this->shop->shards()[1] : $this->shop->shards()[0];
        $other->use(static fn(\PDO $db) => $db->exec('INSERT INTO users (id) VALUES (1)'));
        $other->use(static fn(\PDO $db) => $db->exec("INSERT INTO countries VALUES ('fr', 'France')"));
        $other->use(static fn(\PDO $db) => $db->exec('ALTER TABLE orders ADD note TEXT'));
        $this->shop->shards()[0]->use(static fn(\PDO $db) => $db->exec('ALTER TABLE users MODIFY email VARCHAR(80) COLLATE utf8mb4_general_ci'));
        $this->shop->schema->forget();
        $wrong = \implode("\n", (new Verification($this->shop))->run());
        self::assertStringContainsString("The table users on the shard $other->name has 1 keys that belong elsewhere, such as 1.", $wrong);
        self::assertStringContainsString('The column users.email has the collation utf8mb4_general_ci', $wrong);
        self::assertStringContainsString('The reference table countries', $wrong);
        self::assertStringContainsString('The table orders on the shard', $wrong);
    }
}
