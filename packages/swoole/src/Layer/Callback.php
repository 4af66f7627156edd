<?php

// Not strict: a program's callbacks are called as PHP's own code calls them, which converts scalars.

namespace Sluice\Swoole;

final class Callback
{
    /** @param array<mixed> $arguments */
    public static function call(callable $callback, array $arguments): mixed
    {
        return $callback(...$arguments);
    }
}
