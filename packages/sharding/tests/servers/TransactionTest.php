<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\Attributes\{CoversNothing, Group};
use Sluice\Sharding\{Ask, Transaction, TransactionException, TransactionMode};
use Sluice\Sharding\Tests\rig\Shop;
use Sluice\Sharding\Xa\Recovery;

#[CoversNothing]
final class TransactionTest extends ShopCase
{
    public function testASecondShardThrowsAndNothingIsWritten(): void
    {
        [$a, $b] = $this->onFourShards();
        $this->users([$a, $b]);
        $this->db->beginTransaction();
        $this->db->exec("UPDATE users SET balance = 1 WHERE id = $a");
        try {
            $this->db->exec("UPDATE users SET balance = 1 WHERE id = $b");
            self::fail();
        } catch (TransactionException $error) {
            self::assertStringContainsString('multi-db transaction attempted', $error->getMessage());
        }
        $this->db->rollBack();
        self::assertSame([[100], [100]], $this->all("SELECT balance FROM users WHERE id IN ($a, $b)"));
        self::assertFalse($this->db->inTransaction());
    }

    public function testAnOrderedTransactionSaysWhatIsCommitted(): void
    {
        [$a, $b, $c] = $this->onFourShards();
        $this->users([$a, $b, $c]);
        $table = $this->shop->table('users');
        $transaction = Transaction::ordered($this->shop);
        foreach ([$a, $b, $c] as $id) {
            $transaction->on($table->shard($id))->exec("UPDATE users SET balance = 7 WHERE id = $id");
        }
        // The second shard's connection is killed before it commits.
        $connection = Ask::text($transaction->on($table->shard($b)), 'SELECT CONNECTION_ID()');
        $dsn = \substr($table->shard($b)->address->dsn, 0, (int) \strpos($table->shard($b)->address->dsn, ';dbname'));
        Shop::connect($dsn)->exec("KILL $connection");
        try {
            $transaction->commit();
            self::fail();
        } catch (TransactionException $error) {
            self::assertSame([$table->shard($a)->name], $error->committed);
            self::assertSame([$table->shard($b)->name, $table->shard($c)->name], $error->notCommitted);
        }
        self::assertSame([[7], [100], [100]], [...$this->all("SELECT balance FROM users WHERE id = $a"), ...$this->all("SELECT balance FROM users WHERE id = $b"), ...$this->all("SELECT balance FROM users WHERE id = $c")]);
    }

    public function testXaCommitsOnAllShardsOrRollsBackOnAll(): void
    {
        $ids = $this->onFourShards();
        $this->users($ids);
        $this->db->beginTransaction(TransactionMode::Xa);
        foreach ($ids as $id) {
            $this->db->exec("UPDATE users SET balance = balance + 1 WHERE id = $id");
        }
        $this->db->commit();
        $this->db->beginTransaction(TransactionMode::Xa);
        foreach ($ids as $id) {
            $this->db->exec("UPDATE users SET balance = balance + 1 WHERE id = $id");
        }
        $this->db->rollBack();
        self::assertSame([[101, 4]], $this->all('/*vt+ ALLOW_SCATTER=1 */ SELECT balance, COUNT(*) FROM users GROUP BY balance'));
        self::assertSame([], Ask::rows(Shop::connect(Shop::dsns()[0]), 'XA RECOVER'));
    }

    public function testDecisionsThatNobodyNeedsAreDeletedAfterADay(): void
    {
        $ids = $this->onFourShards();
        $this->users($ids);
        $shard = $this->shop->table('users')->shard($ids[0]);
        Transaction::xa($this->shop)->run(static fn(Transaction $transaction) => $transaction->on($shard)->exec("UPDATE users SET balance = 101 WHERE id = $ids[0]"));
        [$new, $old, $needed] = ['aaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccccccc'];
        $name = "'sluice-main-$shard->name-$needed','$shard->name'";
        (static function (\PDO $db) use ($new, $old, $needed, $name): void {
            $db->exec("INSERT INTO _sluice_xa (id, is_commit, decided_at) VALUES ('$new', 0, NOW()), ('$old', 0, NOW() - INTERVAL 25 HOUR), ('$needed', 1, NOW() - INTERVAL 25 HOUR)");
            foreach (["XA START $name", 'UPDATE users SET balance = 102', "XA END $name", "XA PREPARE $name"] as $sql) {
                $db->exec($sql);
            }
        })(Shop::connect($shard->address->dsn));  // whose connection ends here
        $left = static fn(): array => $shard->use(static fn(\PDO $db) => \array_column(Ask::rows($db, 'SELECT id FROM _sluice_xa ORDER BY id'), 0));
        (new Recovery($this->shop, after: 100.0))->look();
        self::assertSame([$new, $needed], $left());
        $recovery = new Recovery($this->shop, after: 0.0);
        for ($deadline = \microtime(true) + 10; $recovery->look() === 0; \usleep(10_000)) {
            self::assertLessThan($deadline, \microtime(true), 'the server knows of the end of the connection');
        }
        (new Recovery($this->shop))->look();
        self::assertSame([$new], $left());
        self::assertSame([[102]], $this->all("SELECT balance FROM users WHERE id = $ids[0]"), 'it was decided to commit');
    }

    /** A coordinator that is killed at any moment leaves the sum as it was, and nothing prepared once the recovery has looked. */
    #[Group('kills')]
    public function testWhatADeadCoordinatorLeavesIsEnded(): void
    {
        $ids = $this->onFourShards();
        $this->users($ids);
        $script = \dirname(__DIR__) . '/rig/transfers.php';
        $recovery = new Recovery($this->shop, after: 0.0);
        $isLeft = 0;
        for ($i = 0; $i < 25; ++$i) {
            $process = \proc_open([\PHP_BINARY, $script, \implode(',', $ids)], [['file', '/dev/null', 'r'], ['pipe', 'w'], \STDERR], $pipes);
            \assert(\is_resource($process));
            self::assertSame("ready\n", \fgets($pipes[1]));
            \usleep(\random_int(0, 30_000));  // Where it is killed is left to chance; nothing is waited for.
            \proc_terminate($process, \SIGKILL);
            \proc_close($process);
            $deadline = \microtime(true) + 10;
            do {
                $isLeft += $recovery->look();
                $prepared = \array_merge(...\array_map(static fn(string $dsn) => Ask::rows(Shop::connect($dsn), 'XA RECOVER'), Shop::dsns()));
                $sum = $this->all('/*vt+ ALLOW_SCATTER=1 */ SELECT SUM(balance) FROM users');
            } while (($prepared !== [] || $sum !== [['400']]) && \microtime(true) < $deadline);
            self::assertSame([], $prepared);
            self::assertSame([['400']], $sum);
        }
        self::assertGreaterThanOrEqual(0, $isLeft);
    }
}
