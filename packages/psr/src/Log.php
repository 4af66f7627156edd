<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Log\{AbstractLogger, InvalidArgumentException, LogLevel};

/**
 * The server's log as a PSR-3 logger. Each record is a line of error_log(), to which a worker adds the time, the worker and the
 * request. Placeholders in braces are replaced. The rest of the context is appended as JSON, and an exception with its trace.
 */
final class Log extends AbstractLogger
{
    private const LEVELS = [
        LogLevel::DEBUG => 0, LogLevel::INFO => 1, LogLevel::NOTICE => 2, LogLevel::WARNING => 3,
        LogLevel::ERROR => 4, LogLevel::CRITICAL => 5, LogLevel::ALERT => 6, LogLevel::EMERGENCY => 7,
    ];

    private readonly int $least;

    /**
     * @param string $level a constant of LogLevel; records below this level are ignored
     * @throws InvalidArgumentException for another level
     */
    public function __construct(string $level = LogLevel::DEBUG)
    {
        $this->least = self::rank($level);
    }

    /**
     * Writes a record to the log.
     *
     * @param mixed $level a constant of LogLevel
     * @param array<mixed> $context values for placeholders, and further values
     * @throws InvalidArgumentException for another level
     */
    public function log($level, string|\Stringable $message, array $context = []): void
    {
        if (self::rank($level) < $this->least) {
            return;
        }
        \assert(\is_string($level));
        [$text, $rest] = self::interpolate((string) $message, $context);
        $error = $rest['exception'] ?? null;
        if ($error instanceof \Throwable) {
            unset($rest['exception']);
        }
        \error_log($level . ': ' . $text
            . ($rest === [] ? '' : ' ' . \json_encode($rest, \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE | \JSON_PARTIAL_OUTPUT_ON_ERROR | \JSON_INVALID_UTF8_SUBSTITUTE))
            . ($error instanceof \Throwable ? "\n$error" : ''));
    }

    private static function rank(mixed $level): int
    {
        return \is_string($level) && isset(self::LEVELS[$level])
            ? self::LEVELS[$level]
            : throw new InvalidArgumentException('The level must be one of ' . \implode(', ', \array_keys(self::LEVELS)) . ', '
                . (\is_string($level) ? "\"$level\"" : \get_debug_type($level)) . ' given');
    }

    /**
     * @param array<mixed> $context
     * @return array{string, array<mixed>} the text, and the values that no placeholder has used
     */
    private static function interpolate(string $message, array $context): array
    {
        $rest = $context;
        $text = \preg_replace_callback('/\{([\w.]+)\}/', static function (array $match) use ($context, &$rest): string {
            $value = $context[$match[1]] ?? null;
            if (!\is_scalar($value) && !$value instanceof \Stringable) {
                return \array_key_exists($match[1], $context) && $value === null ? 'null' : $match[0];
            }
            if (!$value instanceof \Throwable) {
                unset($rest[$match[1]]);
            }
            return \is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
        }, $message) ?? $message;
        // A record is one line, even when a client has sent control characters.
        return [\addcslashes($text, "\0..\37\177"), $rest];
    }
}
