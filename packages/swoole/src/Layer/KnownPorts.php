<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** The ports that the server listens on already when a reload boots the script anew. They are passed on in the environment. */
final class KnownPorts
{
    private const VARIABLE = 'SLUICE_PASSED_SWOOLE_PORTS';

    private static int $next = 0;

    /** The next port of the script; null: the server does not run yet. */
    public static function next(): ?int
    {
        [$master, $ports] = self::read();
        if ($master !== \posix_getppid() || $master === 0) {
            return null;
        }
        return $ports[self::$next++] ?? null;
    }

    /** The process of the server that boots this script anew; 0: none does. */
    public static function master(): int
    {
        [$master] = self::read();
        return $master === \posix_getppid() ? $master : 0;
    }

    /** @param list<int> $ports */
    public static function pass(array $ports): void
    {
        \putenv(self::VARIABLE . '=' . \getmypid() . ':' . \implode(',', $ports));
    }

    /** @return array{int, list<int>} */
    private static function read(): array
    {
        $text = \getenv(self::VARIABLE);
        if (!\is_string($text) || !\str_contains($text, ':')) {
            return [0, []];
        }
        [$master, $ports] = \explode(':', $text, 2);
        return [(int) $master, \array_map(intval(...), \explode(',', $ports))];
    }
}
