<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Connection\{Connections, Failure, ShardLease, Topology};

/** One shard of a keyspace: the rows whose keyspace ids are in its range. */
final class Shard
{
    /** @internal */
    public readonly Topology $topology;

    /**
     * @param \Closure(self): bool $follow looks whether the shard's rows have moved, and changes the map of shards then
     * @internal
     */
    public function __construct(
        public readonly string $keyspace,
        public readonly string $name,
        public readonly KeyRange $range,
        public readonly Address $address,
        private readonly Connections $connections,
        private readonly Figures $figures,
        private readonly \Closure $follow,
    ) {
        $this->topology = new Topology($address);
    }

    /**
     * Lends a connection to the shard while `$work` runs. Its statements and results must not be used afterwards. An open transaction is
     * rolled back.
     *
     * @template R
     * @param callable(\PDO, self): R $work
     * @param Target $target the primary, or one of the replicas
     * @param string|null $after with a replica: wait until it has executed what is up to this position, which position() gave
     * @param bool|null $isRead true: `$work` may be called a second time when its connection is lost; false or null: it may not
     * @return R what `$work` returns
     * @throws ShardMovedException when the shard's rows have moved meanwhile: a table gives the new one
     * @throws ShardingException when no connection becomes free in time
     * @throws \Throwable what `$work` throws, or what the connection throws
     */
    public function use(callable $work, Target $target = Target::Primary, ?string $after = null, ?bool $isRead = null): mixed
    {
        return $this->lend($work, $target, $after, $isRead ?? false, true);
    }

    /**
     * The same for statements that are known to leave the connection's database alone: the next borrower needs no USE.
     *
     * @template R
     * @param callable(\PDO, self, string): R $work
     * @param bool $namesDatabase whether `$work` names the shard's database when it is called with its name: the connection is in another one then
     * @return R
     * @internal
     */
    public function ask(callable $work, Target $target, ?string $after, bool $isRead, bool $namesDatabase = false): mixed
    {
        return $this->lend($work, $target, $after, $isRead, false, $namesDatabase);
    }

    /**
     * Where the shard's log is after what this connection has written, for use() with `$after`.
     */
    public static function position(\PDO $pdo): string
    {
        return (string) Ask::text($pdo, 'SELECT @@gtid_binlog_pos');
    }

    /**
     * Calls `$work`; when that fails for the primary is gone, waits for a new one and calls it once more if that is safe.
     *
     * @template R
     * @param callable(\PDO, self, string): R $work
     * @return R
     */
    private function lend(callable $work, Target $target, ?string $after, bool $isRead, bool $mayMove, bool $namesDatabase = false): mixed
    {
        $began = \hrtime(true);
        try {
            return $this->once($work, $target, $after, $mayMove, $namesDatabase);
        } catch (\Exception $error) {
            $seconds = $this->connections->options->failoverSeconds;
            if ($seconds <= 0.0 || !Failure::isRepeatable($error, $isRead)) {
                throw $error;
            }
            while (!$this->topology->elect()) {
                if ((\hrtime(true) - $began) / 1e9 > $seconds) {
                    throw new ShardingException("The shard $this->keyspace:$this->name has no primary for $seconds s (failoverSeconds): {$error->getMessage()}", 0, $error);
                }
                Runtime::sleep(0.05);
            }
            $this->figures->failedOver($this);
            return $this->once($work, $target, $after, $mayMove, $namesDatabase);
        }
    }

    /**
     * @template R
     * @param callable(\PDO, self, string): R $work
     * @return R
     */
    private function once(callable $work, Target $target, ?string $after, bool $mayMove, bool $namesDatabase): mixed
    {
        $lease = $this->connections->borrowOne($this, $target, $namesDatabase);
        $lease = $after === null ? $lease : $this->following($lease, $after, $namesDatabase);
        $began = \hrtime(true);
        try {
            $result = $work($lease->pdo, $this, $lease->elsewhere);
        } catch (\Throwable $error) {
            $this->figures->asked($this, (\hrtime(true) - $began) / 1e9, true);
            $lease->giveBack($error instanceof \Error || Failure::isBroken($error));
            throw $this->explained($error);
        }
        $this->figures->asked($this, (\hrtime(true) - $began) / 1e9, false);
        $lease->giveBack(mayHaveMoved: $mayMove);
        return $result;
    }

    /**
     * What to throw for an error of one of the shard's connections: an exception of its own when the shard's rows have moved.
     *
     * @internal
     */
    public function explained(\Throwable $error): \Throwable
    {
        return Failure::mayHaveMoved($error) && ($this->follow)($this) ? new ShardMovedException($this, $error) : $error;
    }

    /** A connection to a server that has executed what is up to this position: the replica that is lent, or else the primary. */
    private function following(ShardLease $lease, string $after, bool $namesDatabase): ShardLease
    {
        if ($after === '' || $lease->address === $this->topology->address(Target::Primary)) {
            return $lease;
        }
        try {
            if (Ask::text($lease->pdo, 'SELECT MASTER_GTID_WAIT(?, 1)', [$after]) === '0') {
                return $lease;
            }
        } catch (\PDOException) {
            // A replica that cannot say follows nobody.
        }
        $lease->giveBack();
        return $this->connections->borrowOne($this, Target::Primary, $namesDatabase);
    }
}
