<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

/** Takes the calls out of a trace that led to the application: those of this command and of the server, which are the same for each request. */
final class Trace
{
    /** Shortens the traces of an error and of the errors that have caused it. */
    public static function shorten(\Throwable $error): void
    {
        for ($one = $error; $one !== null; $one = $one->getPrevious()) {
            $place = new \ReflectionProperty($one instanceof \Exception ? \Exception::class : \Error::class, 'trace');
            $place->setValue($one, self::ofTheApplication($one->getTrace()));
        }
    }

    /**
     * @param list<array<string, mixed>> $frames
     * @return list<array<string, mixed>>
     */
    private static function ofTheApplication(array $frames): array
    {
        foreach ($frames as $number => $frame) {
            $class = $frame['class'] ?? '';
            if (\is_string($class) && (\str_starts_with($class, 'Sluice\App\Finder') || \str_starts_with($class, 'Sluice\App\Dev\\'))) {
                return \array_slice($frames, 0, $number);
            }
        }
        return $frames;
    }
}
