<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Connection\{Failure, ShardLease};
use Sluice\Sharding\Reshard\Fence;
use Sluice\Sharding\Xa\Branches;

/** A transaction on shards of a keyspace. The connection to a shard is taken when the shard is first touched, and kept until the end. */
final class Transaction
{
    /** @var array<string, ShardLease> by shard, in the order of the first touch */
    private array $leases = [];
    /** @var list<\Closure(): mixed> */
    private array $afterCommit = [];
    private ?Branches $branches = null;
    private bool $isOpen = true;

    private function __construct(public readonly Keyspace $keyspace, public readonly TransactionMode $mode)
    {
        if ($mode === TransactionMode::Xa) {
            $this->branches = new Branches($keyspace);
        }
    }

    /** One shard: the first statement chooses it, and one for a second shard throws. */
    public static function single(Keyspace $keyspace): self
    {
        return new self($keyspace, TransactionMode::Single);
    }

    /** Several shards, committed one after the other in the order of their first touch. When one commit fails, the exception says which shards have committed. */
    public static function ordered(Keyspace $keyspace): self
    {
        return new self($keyspace, TransactionMode::Ordered);
    }

    /** Several shards, committed by two phases. What a process leaves that dies is ended by Xa\Recovery. */
    public static function xa(Keyspace $keyspace): self
    {
        return new self($keyspace, TransactionMode::Xa);
    }

    public static function of(Keyspace $keyspace, TransactionMode $mode): self
    {
        return new self($keyspace, $mode);
    }

    /**
     * Calls `$work`, and commits; when it throws, rolls back.
     *
     * @template R
     * @param callable(self): R $work
     * @return R
     * @throws TransactionException when it could not be committed as a whole
     * @throws \Throwable what `$work` throws
     */
    public function run(callable $work): mixed
    {
        try {
            $result = $work($this);
        } catch (\Throwable $error) {
            $this->rollBack();
            throw $error;
        }
        $this->commit();
        return $result;
    }

    /**
     * The transaction's connection to a shard.
     *
     * @throws TransactionException for a second shard with TransactionMode::Single, and when it has ended
     */
    public function on(Shard $shard): \PDO
    {
        if (!$this->isOpen) {
            throw new TransactionException('The transaction has ended already. Begin another one.');
        }
        if (isset($this->leases[$shard->name])) {
            return $this->leases[$shard->name]->pdo;
        }
        if ($this->mode === TransactionMode::Single && $this->leases !== []) {
            $first = \array_key_first($this->leases);
            throw new TransactionException("multi-db transaction attempted: the transaction is on the shard $first, and a statement is for the shard $shard->name. Take"
                . ' Transaction::ordered() or Transaction::xa(), or keep what belongs together on one key.');
        }
        $lease = $this->keyspace->connections->borrowOne($shard, Target::Primary);
        try {
            if ($this->branches !== null) {
                $this->branches->begin($lease, $this->leases === []);
            } else {
                $lease->pdo->beginTransaction();
            }
        } catch (\Throwable $error) {
            $lease->giveBack(isBroken: true);
            throw $error;
        }
        $this->leases[$shard->name] = $lease;
        return $lease->pdo;
    }

    /**
     * Calls `$work` with the transaction's connection to a shard.
     *
     * @template R
     * @param callable(\PDO, Shard): R $work a statement
     * @return R
     * @throws ShardMovedException when the shard's rows have moved; the transaction goes on without the shard if this was its first statement there
     * @internal
     */
    public function use(Shard $shard, callable $work): mixed
    {
        $isFirst = !isset($this->leases[$shard->name]);
        $db = $this->on($shard);
        try {
            return $work($db, $shard);
        } catch (\PDOException $error) {
            if ($isFirst && Failure::mayHaveMoved($error) && Fence::ask($shard) !== null) {
                $this->rollBackOn($this->leases[$shard->name]);  // Old tables are taken away when nobody has a transaction on them.
            }
            $error = $shard->explained($error);
            if ($error instanceof ShardMovedException) {
                $error->isRepeatable = $isFirst;
            }
            throw $error;
        }
    }

    /** @return list<Shard> in the order of their first touch */
    public function shards(): array
    {
        return \array_map(static fn(ShardLease $lease) => $lease->shard, \array_values($this->leases));
    }

    /**
     * @param \Closure(): mixed $work called when the transaction has committed
     * @internal
     */
    public function afterCommit(\Closure $work): void
    {
        $this->afterCommit[] = $work;
    }

    /** @throws TransactionException when not all shards have committed */
    public function commit(): void
    {
        $this->isOpen = false;
        try {
            $this->branches === null ? $this->commitInOrder() : $this->branches->commit(\array_values($this->leases));
        } finally {
            $this->release();
        }
        foreach ($this->afterCommit as $work) {
            $work();
        }
    }

    public function rollBack(): void
    {
        $this->isOpen = false;
        foreach ($this->leases as $lease) {
            $this->rollBackOn($lease);
        }
    }

    private function rollBackOn(ShardLease $lease): void
    {
        unset($this->leases[$lease->shard->name]);
        try {
            $this->branches === null ? $lease->pdo->rollBack() : $this->branches->rollBack($lease);
            $lease->giveBack();
        } catch (\PDOException) {
            $lease->giveBack(isBroken: true);  // The server rolls back what a lost connection had.
        }
    }

    private function commitInOrder(): void
    {
        // The name -80 is a number where it is the key of an array.
        $names = \array_map(strval(...), \array_keys($this->leases));
        foreach ($names as $i => $name) {
            try {
                $this->leases[$name]->pdo->commit();
            } catch (\PDOException $error) {
                $committed = \array_slice($names, 0, $i);
                $rest = \array_slice($names, $i + 1);
                foreach ($rest as $other) {
                    try {
                        $this->leases[$other]->pdo->rollBack();
                    } catch (\PDOException) {
                        $this->leases[$other]->giveBack(isBroken: true);
                    }
                }
                $isUnknown = Failure::isBroken($error);
                $this->leases[$name]->giveBack(isBroken: true);
                throw new TransactionException("The shard $name did not commit: {$error->getMessage()}. " . ($isUnknown ? 'Whether it has committed is not known, for its connection was lost. ' : '')
                    . 'Committed: ' . (\implode(', ', $committed) ?: 'none') . '. Rolled back: ' . (\implode(', ', $rest) ?: 'none') . '.', $committed, [$name, ...$rest], $error);
            }
        }
    }

    private function release(): void
    {
        foreach ($this->leases as $lease) {
            $lease->giveBack();
        }
        $this->leases = [];
    }

    public function __destruct()
    {
        if ($this->isOpen && $this->leases !== []) {
            $this->rollBack();
        }
    }
}
