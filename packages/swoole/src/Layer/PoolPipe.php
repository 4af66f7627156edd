<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Process;

/**
 * Messages to the workers of a pool: a datagram each. With a message bus they may be longer than a datagram. Each one then says whose part of
 * which message it is, as several processes send at a time.
 */
final class PoolPipe
{
    private const PART_BYTES = 32 << 10;
    private const DATAGRAM_BYTES = 1 << 20;
    private static int $last = 0;
    /** @var array<string, string> what has come of a message, by its sender and number */
    private array $begun = [];

    public function __construct(private readonly Process $process, private readonly bool $hasBus, private readonly int $longest) {}

    public static function send(Process $process, string $data): bool
    {
        $number = ++self::$last;
        $parts = \str_split($data, self::PART_BYTES);
        foreach ($parts as $index => $part) {
            if (!$process->send(\pack('NNC', \getmypid(), $number, $index === \count($parts) - 1 ? 1 : 0) . $part)) {
                return false;
            }
        }
        return true;
    }

    /** The next message; false: the pipe is gone, or a signal came. */
    public function receive(): string|false
    {
        while (($data = $this->process->read(self::DATAGRAM_BYTES)) !== false) {
            if (!$this->hasBus || \strlen($data) < 9) {
                return $data;
            }
            $message = \substr($data, 0, 8);
            $this->begun[$message] = ($this->begun[$message] ?? '') . \substr($data, 9);
            if (\strlen($this->begun[$message]) > $this->longest) {
                unset($this->begun[$message]);
                Errors::warn("a message has more than $this->longest bytes, the option max_package_size", \SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE);
            } elseif ($data[8] === "\1") {
                $whole = $this->begun[$message];
                unset($this->begun[$message]);
                return $whole;
            }
        }
        return false;
    }
}
