<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

/** The primary keys of rows that change on a shard. @internal */
interface Changes
{
    /** From now on changes are noted. Can be called again. */
    public function begin(): void;

    /**
     * Keys of rows that have changed since begin(), the oldest first. A process that goes on after a kill reads again what was not forgotten.
     *
     * @param int $limit about so many
     * @return array<string, list<list<mixed>>> by table; empty when no change that is committed is left
     */
    public function read(int $limit): array;

    /** What read() has given is dealt with. */
    public function forget(): void;

    /** Whether read() may give keys of a transaction whose rows cannot be seen yet: then rows are read with locks, which wait for it. */
    public function precedesCommit(): bool;
}
