<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * A statement came to a shard whose rows have moved to others, and was not executed. The keyspace knows the new shards when this is thrown to
 * the application: asked again, the table gives the right one.
 */
final class ShardMovedException extends ShardingException
{
    /** Whether the statement can be sent again as it is: nothing of it was executed. @internal */
    public bool $isRepeatable = true;

    /** @internal */
    public function __construct(public readonly Shard $shard, \Throwable $previous)
    {
        parent::__construct("The rows of the shard $shard->keyspace:$shard->name have moved. Ask the table for the shard again, and repeat what was begun.", 0, $previous);
    }
}
