<?php

declare(strict_types=1);

namespace Sluice\Sharding\Connection;

use Sluice\Sharding\{Address, Shard};

/** A connection to a shard that is lent. @internal */
final class ShardLease
{
    private bool $isOut = true;
    public readonly \PDO $pdo;
    /** @var string the shard's database when the connection is in another one; '' when it is there */
    public readonly string $elsewhere;

    /** @param array{string, string} $need */
    public function __construct(
        private readonly Connections $connections,
        public readonly Shard $shard,
        public readonly Address $address,
        private readonly array $need,
        private readonly HostLease $lease,
    ) {
        $this->pdo = $lease->pdo;
        $this->elsewhere = $lease->isElsewhere ? $address->database : '';
    }

    public function giveBack(bool $isBroken = false, bool $mayHaveMoved = true): void
    {
        if ($this->isOut) {
            $this->isOut = false;
            try {
                $this->lease->giveBack($isBroken, $mayHaveMoved);
            } finally {
                $this->connections->giveBack($this->need);
            }
        }
    }

    public function __destruct()
    {
        $this->giveBack(isBroken: true);
    }
}
