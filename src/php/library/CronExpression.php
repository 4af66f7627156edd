<?php

declare(strict_types=1);

namespace Sluice;

/**
 * The five fields of a line in a crontab: minute, hour, day of the month, month, day of the week.
 *
 * @internal
 */
final class CronExpression
{
    private const FIELDS = [
        ['minute', 0, 59, []],
        ['hour', 0, 23, []],
        ['day of the month', 1, 31, []],
        ['month', 1, 12, ['jan' => 1, 'feb' => 2, 'mar' => 3, 'apr' => 4, 'may' => 5, 'jun' => 6, 'jul' => 7, 'aug' => 8, 'sep' => 9,
            'oct' => 10, 'nov' => 11, 'dec' => 12]],
        // Sunday has two numbers.
        ['day of the week', 0, 7, ['sun' => 0, 'mon' => 1, 'tue' => 2, 'wed' => 3, 'thu' => 4, 'fri' => 5, 'sat' => 6]],
    ];
    private const NAMES = [
        '@yearly' => '0 0 1 1 *', '@annually' => '0 0 1 1 *', '@monthly' => '0 0 1 * *', '@weekly' => '0 0 * * 0', '@daily' => '0 0 * * *',
        '@midnight' => '0 0 * * *', '@hourly' => '0 * * * *',
    ];
    /** Of days in February once in eight years, and in each month of one year. */
    private const MOST_DAYS = [1 => 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

    /** @var list<array<int, true>> the numbers of each field */
    private readonly array $numbers;
    /** Both fields for days are limited: a day need match only one of them. */
    private readonly bool $eitherDay;

    /** @throws \ValueError */
    public function __construct(public readonly string $expression)
    {
        $fields = \preg_split('/[ \t]+/', \trim(self::NAMES[\strtolower(\trim($expression))] ?? $expression, " \t"));
        if (\count($fields) !== 5) {
            throw new \ValueError("\"$expression\" is no time of cron: it must have five fields (minute, hour, day of the month, month,"
                . ' day of the week), or be one of ' . \implode(', ', \array_keys(self::NAMES)));
        }
        $numbers = [];
        foreach ($fields as $place => $field) {
            $numbers[] = $this->parse($field, ...self::FIELDS[$place]);
        }
        if (isset($numbers[4][7])) {
            $numbers[4][0] = true;
        }
        $this->numbers = $numbers;
        $this->eitherDay = $fields[2][0] !== '*' && $fields[4][0] !== '*';
        $first = \min(\array_keys($numbers[2]));
        $months = \array_filter(\array_keys($numbers[3]), static fn(int $month): bool => self::MOST_DAYS[$month] >= $first);
        if (!$this->eitherDay && $months === []) {
            throw new \ValueError("\"$expression\" never comes: none of its months has a day $first");
        }
    }

    /** Whether every hour counts, so that changes of the clock by whole hours change nothing. */
    public function isEveryHour(): bool
    {
        return \count($this->numbers[1]) === 24;
    }

    /** Whether the expression names the minute with these fields; `$weekday`: 0 is Sunday. */
    public function matches(int $minute, int $hour, int $day, int $month, int $weekday): bool
    {
        [$minutes, $hours, $days, $months, $weekdays] = $this->numbers;
        if (!isset($minutes[$minute], $hours[$hour], $months[$month])) {
            return false;
        }
        return $this->eitherDay ? isset($days[$day]) || isset($weekdays[$weekday]) : isset($days[$day], $weekdays[$weekday]);
    }

    /**
     * @param array<string, int> $names
     * @return array<int, true>
     */
    private function parse(string $field, string $what, int $least, int $most, array $names): array
    {
        $numbers = [];
        foreach (\explode(',', $field) as $part) {
            if (!\preg_match('~^(?:\*|(\d+|[a-z]{3})(?:-(\d+|[a-z]{3}))?)(?:/(\d+))?$~iD', $part, $match, \PREG_UNMATCHED_AS_NULL)) {
                $this->refuse($part, $what, $least, $most);
            }
            $number = fn(string $text): int => $names[\strtolower($text)]
                ?? (\is_numeric($text) ? (int) $text : $this->refuse($text, $what, $least, $most));
            $from = $match[1] === null ? $least : $number($match[1]);
            // A number with a step means a range up to the field's last number.
            $to = $match[2] !== null ? $number($match[2]) : ($match[1] === null || $match[3] !== null ? $most : $from);
            $step = (int) ($match[3] ?? 1);
            if ($from < $least || $to > $most || $from > $to || $step < 1 || $step > $most) {
                $this->refuse($part, $what, $least, $most);
            }
            foreach (\range($from, $to, \min($step, \max(1, $to - $from))) as $each) {
                if (($each - $from) % $step === 0) {
                    $numbers[$each] = true;
                }
            }
        }
        return $numbers;
    }

    private function refuse(string $part, string $what, int $least, int $most): never
    {
        throw new \ValueError("\"$part\" in \"$this->expression\" is no $what of cron: it must be *, $least to $most, a range (1-5), any of"
            . ' these with a step (*/5), or a list of them (1,3-5)');
    }
}
