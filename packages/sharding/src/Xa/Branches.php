<?php

declare(strict_types=1);

namespace Sluice\Sharding\Xa;

use Sluice\Sharding\Connection\ShardLease;
use Sluice\Sharding\{Keyspace, Shard, TransactionException};

/**
 * The branches of one transaction on several shards. Between the two phases its outcome is written down on the first shard that was
 * touched; whoever writes first decides, the coordinator or the recovery of a coordinator that seems dead.
 *
 * @internal
 */
final class Branches
{
    /** What transactions of this package begin with. */
    public const PREFIX = 'sluice';
    /** Who has prepared for longer does not commit: the recovery may have forgotten by then that it has rolled back. */
    private const MAX_SECONDS = 3600;
    private readonly string $id;
    private ?Shard $decider = null;

    public function __construct(private readonly Keyspace $keyspace)
    {
        $this->id = \bin2hex(\random_bytes(12));
    }

    /** @param bool $isFirst whether no other shard has a branch */
    public function begin(ShardLease $lease, bool $isFirst): void
    {
        if ($isFirst) {
            $this->decider = $lease->shard;
            Decisions::prepare($lease->shard);
        }
        $lease->pdo->exec('XA START ' . $this->xid($lease));
    }

    /**
     * @param list<ShardLease> $leases
     * @throws TransactionException when it was rolled back, or a part of it is left to the recovery
     */
    public function commit(array $leases): void
    {
        if (\count($leases) <= 1) {
            foreach ($leases as $lease) {
                $lease->pdo->exec('XA END ' . $this->xid($lease));
                $lease->pdo->exec("XA COMMIT {$this->xid($lease)} ONE PHASE");
            }
            return;
        }
        $began = \hrtime(true);
        try {
            foreach ($leases as $lease) {
                $lease->pdo->exec('XA END ' . $this->xid($lease));
                $lease->pdo->exec('XA PREPARE ' . $this->xid($lease));
            }
            if ((\hrtime(true) - $began) / 1e9 > self::MAX_SECONDS) {
                throw new TransactionException('Preparing took more than ' . self::MAX_SECONDS . ' s.');
            }
            if (!Decisions::decide($this->decider(), $this->id, true)) {
                throw new TransactionException('The recovery took the coordinator for dead, and rolls the transaction back.');
            }
        } catch (\Exception $error) {
            $this->abandon($leases, $error);
        }
        $left = [];
        foreach ($leases as $lease) {
            try {
                $lease->pdo->exec('XA COMMIT ' . $this->xid($lease));
            } catch (\PDOException) {
                $left[] = $lease->shard->name;
                $lease->giveBack(isBroken: true);
            }
        }
        // A decision is forgotten when every branch has followed it; else the recovery needs it.
        if ($left === []) {
            Decisions::forget($this->decider(), $this->id);
        }
    }

    public function rollBack(ShardLease $lease): void
    {
        $lease->pdo->exec('XA END ' . $this->xid($lease));
        $lease->pdo->exec('XA ROLLBACK ' . $this->xid($lease));
    }

    private function decider(): Shard
    {
        return $this->decider ?? throw new \LogicException('The transaction has touched no shard.');
    }

    /**
     * @param list<ShardLease> $leases
     */
    private function abandon(array $leases, \Exception $error): never
    {
        // Whether the decision was written may be unknown. Then the branches stay prepared, and the recovery ends them by what is written.
        try {
            $mayRollBack = Decisions::decide($this->decider(), $this->id, false) || Decisions::isAbort($this->decider(), $this->id);
        } catch (\Exception) {
            $mayRollBack = false;
        }
        $names = [];
        foreach ($leases as $lease) {
            $names[] = $lease->shard->name;
            foreach ($mayRollBack ? ['XA END', 'XA ROLLBACK'] : [] as $command) {
                try {
                    $lease->pdo->exec("$command {$this->xid($lease)}");
                } catch (\PDOException) {
                    // It was ended already, or its connection is lost: the recovery rolls it back.
                }
            }
            $lease->giveBack(isBroken: true);
        }
        throw new TransactionException('The transaction ' . ($mayRollBack ? 'was rolled back' : 'is left to the recovery, which will commit or roll back all of it')
            . " on the shards " . \implode(', ', $names) . ": {$error->getMessage()}", [], $names, $error);
    }

    private function xid(ShardLease $lease): string
    {
        $pdo = $lease->pdo;
        return $pdo->quote(self::PREFIX . "-{$this->keyspace->name}-{$this->decider()->name}-$this->id") . ',' . $pdo->quote($lease->shard->name);
    }
}
