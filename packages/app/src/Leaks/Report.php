<?php

declare(strict_types=1);

namespace Sluice\App\Leaks;

use Sluice\{Leak, Server};

/** The leaks of a server that `check --leaks` has started: its worker writes them into a file, a line for each. */
final class Report
{
    /** Names the file to the server that is started. */
    public const VARIABLE = 'SLUICE_CHECK_LEAKS';

    /** Has the server write its leaks, when `check --leaks` has started it. */
    public static function from(Server $server): void
    {
        $file = \getenv(self::VARIABLE);
        if ($file === false) {
            return;
        }
        $server->detectLeaks(static function (Leak $leak) use ($file): void {
            // The coroutines that are left have a line each.
            \file_put_contents($file, \str_replace("\n", ' ', (string) $leak) . "\n", \FILE_APPEND);
        }, Known::PLACES);
    }

    /**
     * The sentences of a file.
     *
     * @return list<string>
     */
    public static function sentences(string $file): array
    {
        return \file($file, \FILE_IGNORE_NEW_LINES | \FILE_SKIP_EMPTY_LINES) ?: [];
    }
}
