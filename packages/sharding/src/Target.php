<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Which server of a shard is asked: Vitess's tablet types. */
enum Target: string
{
    case Primary = 'primary';
    case Replica = 'replica';

    /** @throws ShardingException for an unknown name */
    public static function named(string $name): self
    {
        return match (\strtolower($name)) {
            'primary', 'master' => self::Primary,
            'replica', 'rdonly' => self::Replica,
            default => throw new ShardingException("\"@$name\" is no target. Allowed are @primary, @replica and @rdonly."),
        };
    }
}
