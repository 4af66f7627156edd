<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** A transaction over shards did not do as it should; `committed` and `open` say where it stands. */
final class TransactionException extends ShardingException
{
    /**
     * @param list<string> $committed names of the shards that have committed
     * @param list<string> $notCommitted names of the shards that have not
     */
    public function __construct(string $message, public readonly array $committed = [], public readonly array $notCommitted = [], ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
