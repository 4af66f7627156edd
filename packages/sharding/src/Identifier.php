<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Names of tables and columns. @internal */
final class Identifier
{
    public static function quote(string $name): string
    {
        return '`' . \str_replace('`', '``', $name) . '`';
    }
}
