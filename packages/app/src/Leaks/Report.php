<?php

declare(strict_types=1);

namespace Sluice\App\Leaks;

use Sluice\{Leak, Server};

/** The leaks of a server that `check --leaks` has started: its worker writes them into a file, a line of JSON for each. */
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
            $values = ['kind' => $leak->kind->value, 'request' => $leak->request, 'place' => $leak->place, 'was' => $leak->was, 'is' => $leak->is];
            \file_put_contents($file, \json_encode($values, \JSON_THROW_ON_ERROR | \JSON_INVALID_UTF8_SUBSTITUTE) . "\n", \FILE_APPEND);
        }, Known::PLACES);
    }

    /**
     * The sentences of a file.
     *
     * @return list<string>
     */
    public static function sentences(string $file): array
    {
        $sentences = [];
        foreach (\file($file, \FILE_IGNORE_NEW_LINES | \FILE_SKIP_EMPTY_LINES) ?: [] as $line) {
            /** @var array{request: string, place: string, was: string, is: string} $leak as from() has written it */
            $leak = \json_decode($line, true, flags: \JSON_THROW_ON_ERROR);
            $place = Place::named($leak['place']);
            $sentences[] = $leak['was'] === '' ? "$leak[request] leaves $place $leak[is]" : "$leak[request] leaves $place as $leak[is]; it was $leak[was]";
        }
        return $sentences;
    }
}
