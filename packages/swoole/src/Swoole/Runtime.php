<?php

declare(strict_types=1);

namespace Swoole;

/** The hooks are the engine's, and are on. Which of them a program asks for is kept, and none is switched off. */
class Runtime
{
    private static int $flags = \SWOOLE_HOOK_ALL;

    public static function enableCoroutine(int|bool $flags = \SWOOLE_HOOK_ALL, int $more = \SWOOLE_HOOK_ALL): bool
    {
        return self::setHookFlags(\is_bool($flags) ? ($flags ? $more : 0) : $flags);
    }

    public static function getHookFlags(): int
    {
        return self::$flags;
    }

    public static function setHookFlags(int $flags): bool
    {
        self::$flags = $flags;
        return true;
    }
}
