<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Commands and answers of Redis's protocol, version 2 (RESP2). */
final class RedisProtocol
{
    /** Bytes of the line that says how many arguments there are, or how long one is. */
    private const LONGEST_LINE = 65536;

    /**
     * Cuts commands out of bytes. A package is one command as it has come.
     *
     * @return \Closure(string): (array{string, string}|null|false)
     */
    public static function cutter(int $longest): \Closure
    {
        return static function (string $data) use ($longest): array|null|false {
            $end = self::endOf($data);
            if ($end === null) {
                return \strlen($data) > $longest ? false : null;
            }
            return $end === false ? false : [\substr($data, 0, $end), \substr($data, $end)];
        };
    }

    /**
     * The words of a command that is whole.
     *
     * @return list<string>
     */
    public static function wordsOf(string $command): array
    {
        if ($command[0] !== '*') {
            return \preg_split('/\s+/', \trim($command), -1, \PREG_SPLIT_NO_EMPTY) ?: [];
        }
        $words = [];
        $at = (int) \strpos($command, "\r\n") + 2;
        while ($at < \strlen($command)) {
            $end = (int) \strpos($command, "\r\n", $at);
            $size = (int) \substr($command, $at + 1, $end - $at - 1);
            $words[] = \substr($command, $end + 2, $size);
            $at = $end + 2 + $size + 2;
        }
        return $words;
    }

    public static function valueOf(mixed $value): string
    {
        return match (true) {
            $value === null, $value === false => "$-1\r\n",
            \is_int($value) => ":$value\r\n",
            \is_array($value) => \array_is_list($value) ? self::listOf($value) : self::mapOf($value),
            default => self::bulk(\is_scalar($value) || $value instanceof \Stringable ? (string) $value : ''),
        };
    }

    public static function bulk(string $text): string
    {
        return '$' . \strlen($text) . "\r\n$text\r\n";
    }

    /** @param array<mixed> $values */
    public static function listOf(array $values): string
    {
        return '*' . \count($values) . "\r\n" . \implode('', \array_map(self::valueOf(...), $values));
    }

    /** @param array<mixed> $values */
    public static function mapOf(array $values): string
    {
        $text = '*' . 2 * \count($values) . "\r\n";
        foreach ($values as $key => $value) {
            $text .= self::bulk((string) $key) . self::valueOf($value);
        }
        return $text;
    }

    /** Where the first command ends; null: more has to come; false: this is no command. */
    private static function endOf(string $data): int|null|false
    {
        if ($data === '') {
            return null;
        }
        $end = \strpos($data, "\r\n");
        if ($end === false) {
            return \strlen($data) > self::LONGEST_LINE ? false : null;
        }
        if ($data[0] !== '*') {
            return $end + 2;
        }
        $at = $end + 2;
        for ($left = (int) \substr($data, 1, $end - 1); $left > 0; --$left) {
            $end = \strpos($data, "\r\n", \min($at, \strlen($data)));
            if ($end === false) {
                return null;
            }
            $size = \substr($data, $at + 1, $end - $at - 1);
            if ($data[$at] !== '$' || !\ctype_digit($size)) {
                return false;
            }
            $at = $end + 2 + (int) $size + 2;
        }
        return $at <= \strlen($data) ? $at : null;
    }
}
