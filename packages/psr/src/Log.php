<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Log\{AbstractLogger, InvalidArgumentException, LogLevel};

/**
 * The server's log as PSR-3: a line for each record, by error_log(), which a worker writes into the log with its time, its worker and its
 * request. Placeholders in braces are filled in; what else the context has follows as JSON, and an exception with its trace.
 */
final class Log extends AbstractLogger
{
    private const LEVELS = [
        LogLevel::DEBUG => 0, LogLevel::INFO => 1, LogLevel::NOTICE => 2, LogLevel::WARNING => 3,
        LogLevel::ERROR => 4, LogLevel::CRITICAL => 5, LogLevel::ALERT => 6, LogLevel::EMERGENCY => 7,
    ];

    private readonly int $least;

    /**
     * @param string $level one of LogLevel's: what is below is left out
     * @throws InvalidArgumentException
     */
    public function __construct(string $level = LogLevel::DEBUG)
    {
        $this->least = self::rank($level);
    }

    /**
     * @param mixed $level one of LogLevel's
     * @param array<mixed> $context
     * @throws InvalidArgumentException
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
            : throw new InvalidArgumentException('A level is one of ' . \implode(', ', \array_keys(self::LEVELS)) . ', '
                . (\is_string($level) ? "\"$level\"" : \get_debug_type($level)) . ' given');
    }

    /**
     * @param array<mixed> $context
     * @return array{string, array<mixed>} the text, and what was not used
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
        // A record is one line, whatever somebody has sent.
        return [\addcslashes($text, "\0..\37\177"), $rest];
    }
}
