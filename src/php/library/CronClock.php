<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Shared\Counter;

/**
 * The entries of Timer::cron(), and the service that calls them. The last minute that was looked at is kept in shared memory, over
 * reloads and deaths. Whoever looks next moves it to the present before it begins any entry, so that no minute is looked at twice.
 *
 * @internal
 */
final class CronClock
{
    public const SERVICE = 'cron';
    /** How far back the clock looks for missed minutes. */
    private const MOST_MISSED = 24 * 60;
    /** For how long the changes of a clock are looked at after it was put back, in minutes. */
    private const LONGEST_CHANGE = 3 * 60;

    private static ?self $ofScript = null;

    /** @var list<array{CronExpression, \Closure, \DateTimeZone}> */
    private array $entries = [];
    /** @var array<int, true> */
    private array $running = [];
    private readonly Counter $lookedAt;
    /** @var \Closure(): float the clock, in seconds since 1970; tests put another one here */
    public \Closure $now;
    /** Seconds of `$now` in a second. */
    public float $speed = 1.0;

    public function __construct()
    {
        $this->lookedAt = new Counter('sluice.cron');
        $this->now = static fn(): float => \microtime(true);
    }

    /** The one clock of the script, to which Timer::cron() adds. */
    public static function ofScript(): self
    {
        return self::$ofScript ??= new self();
    }

    /** @throws \ValueError */
    public function add(string $expression, callable $callback, ?string $timeZone): void
    {
        $timeZone ??= \date_default_timezone_get();
        try {
            $zone = new \DateTimeZone($timeZone);
        } catch (\Exception) {
            throw new \ValueError("\"$timeZone\" is no time zone: it must be one like \"Europe/Berlin\" or \"UTC\"");
        }
        $this->entries[] = [new CronExpression($expression), $callback(...), $zone];
    }

    /** The service's function. */
    public function run(Service $service): void
    {
        do {
            $this->look();
            $now = ($this->now)();
        } while ($service->wait((60.0 - \fmod($now, 60.0)) / $this->speed));
    }

    /** Begins the entries that have come due since the last look: each entry once, however many of its minutes were missed. */
    public function look(): void
    {
        $minute = (int) \floor(($this->now)() / 60);
        $before = $this->lookedAt->get();
        // The clock was put back: minutes that it has shown already are waited out, unless that takes too long.
        if ($minute === $before || ($minute < $before && $before - $minute <= self::LONGEST_CHANGE)) {
            return;
        }
        if (!$this->lookedAt->compareAndSet($before, $minute) || $before === 0 || $minute < $before) {
            return;
        }
        foreach ($this->entries as $number => [$expression, $callback, $zone]) {
            $due = self::due($expression, $zone, \max($before, $minute - self::MOST_MISSED), $minute);
            if ($due !== null) {
                $this->begin($number, $expression, $callback, (new \DateTimeImmutable('@' . 60 * $due))->setTimezone($zone));
            }
        }
    }

    /**
     * The last minute since 1970 after `$after` and up to `$until` that the expression names, or null. Minutes that a clock leaves out
     * when it is put forward belong to the minute that follows. Minutes that a clock shows again when it is put back do not count
     * twice, unless the expression is for every hour.
     */
    public static function due(CronExpression $expression, \DateTimeZone $zone, int $after, int $until): ?int
    {
        $due = null;
        $everyHour = $expression->isEveryHour();
        $shown = \PHP_INT_MIN;
        for ($minute = $everyHour ? $after : $after - self::LONGEST_CHANGE; $minute <= $after; ++$minute) {
            $shown = \max($shown, self::wall($zone, $minute));
        }
        for ($minute = $after + 1; $minute <= $until; ++$minute) {
            $wall = self::wall($zone, $minute);
            for ($each = $everyHour ? $wall : $shown + 1; $each <= $wall; ++$each) {
                $fields = \array_map('intval', \explode(' ', \gmdate('i G j n w', 60 * $each)));
                if ($expression->matches(...$fields)) {
                    $due = $minute;
                }
            }
            $shown = \max($shown, $wall);
        }
        return $due;
    }

    /** What a clock on the wall shows, as minutes since 1970 there. */
    private static function wall(\DateTimeZone $zone, int $minute): int
    {
        return $minute + \intdiv($zone->getOffset(new \DateTimeImmutable('@' . 60 * $minute)), 60);
    }

    private function begin(int $number, CronExpression $expression, \Closure $callback, \DateTimeImmutable $minute): void
    {
        if (isset($this->running[$number])) {
            \error_log("Timer::cron(\"$expression->expression\") is not called for " . $minute->format('H:i') . ': its last call still runs');
            return;
        }
        $this->running[$number] = true;
        Coroutine\spawn(function () use ($number, $callback, $minute): void {
            try {
                $callback($minute);
            } finally {
                unset($this->running[$number]);
            }
        });
    }
}
