<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** What a Sharding\PDO remembers between statements. @internal */
final class SessionState
{
    public ?Transaction $transaction = null;
    public Target $target = Target::Primary;
    /** @var array<string, string> positions of what this session has written, by shard, for its reads from replicas */
    public array $positions = [];
    /** What USE has said to a server that knows the shards. */
    public string $passedTarget = '';
    public string $lastInsertId = '0';
    public bool $isBuffered = true;

    public function __construct(public readonly Keyspace $keyspace, public readonly bool $readsItsWrites) {}
}
