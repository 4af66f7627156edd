<?php

declare(strict_types=1);

namespace Sluice\Sharding\Connection;

/** What an error of a database means for the connection and for a repetition. @internal */
final class Failure
{
    /** Nothing was sent: the connection was refused, or the server was unknown or shutting down when it was made. */
    private const NOT_SENT = [1040, 1053, 2002, 2003, 2005];
    /** The connection is gone. */
    private const LOST = [1053, 1927, 2006, 2013, 2055];
    /** The server takes no writes: a primary that is one no more, or a node of Galera that is not ready. */
    private const READ_ONLY = [1047, 1290, 1836];
    /** No such table, and a trigger's own error: the rows may have moved to other shards. */
    private const MAYBE_MOVED = [1146, 1644];

    /** @var \WeakMap<\Throwable, true>|null what was thrown before a statement was sent */
    private static ?\WeakMap $early = null;

    /** Notes that this was thrown while a connection was made: nothing of the statement was sent, whatever the error is. */
    public static function wasEarly(\Throwable $error): void
    {
        /** @var \WeakMap<\Throwable, true> $early */
        $early = self::$early ??= new \WeakMap();
        $early[$error] = true;
    }

    public static function isBroken(\Throwable $error): bool
    {
        return \in_array(self::code($error), [...self::NOT_SENT, ...self::LOST, ...self::READ_ONLY], true);
    }

    /**
     * Whether the statement can be sent again to another primary: it was not executed for certain, or it only reads.
     *
     * @param bool $isRead whether it changes nothing
     */
    public static function isRepeatable(\Throwable $error, bool $isRead): bool
    {
        $code = self::code($error);
        $isUnsent = $isRead || isset(self::$early[$error]);
        return \in_array($code, [...self::NOT_SENT, ...self::READ_ONLY], true) || ($isUnsent && \in_array($code, self::LOST, true));
    }

    public static function mayHaveMoved(\Throwable $error): bool
    {
        return \in_array(self::code($error), self::MAYBE_MOVED, true);
    }

    private static function code(\Throwable $error): int
    {
        for ($one = $error; $one !== null; $one = $one->getPrevious()) {
            if ($one instanceof \PDOException) {
                return \is_int($one->errorInfo[1] ?? null) ? $one->errorInfo[1] : (int) $one->getCode();
            }
        }
        return 0;
    }
}
