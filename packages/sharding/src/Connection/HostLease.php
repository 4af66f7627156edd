<?php

declare(strict_types=1);

namespace Sluice\Sharding\Connection;

use Sluice\Lease;

/** A connection that is lent. @internal */
final class HostLease
{
    private bool $isOut = true;

    /**
     * @param Lease<\PDO>|null $lease
     * @param bool $isElsewhere whether the connection is in another database than the one that was asked for
     */
    public function __construct(private readonly HostPool $pool, public readonly \PDO $pdo, private readonly ?Lease $lease, public readonly bool $isElsewhere) {}

    /**
     * @param bool $isBroken whether it must not be lent again
     * @param bool $mayHaveMoved whether its database may be another one now
     */
    public function giveBack(bool $isBroken = false, bool $mayHaveMoved = true): void
    {
        if ($this->isOut) {
            $this->isOut = false;
            $this->pool->takeBack($this->pdo, $this->lease, $isBroken, $mayHaveMoved);
        }
    }
}
