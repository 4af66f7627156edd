--TEST--
CronExpression and CronClock: which minutes there are, also where clocks are put forward and back
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{CronClock, CronExpression, Timer};

/** All minutes of a day that the entry names. */
function minutes(string $expression, string $day = '2024-02-29'): array
{
    $cron = new CronExpression($expression);
    $found = [];
    for ($minute = new DateTimeImmutable("$day 00:00"); $minute->format('Y-m-d') === $day; $minute = $minute->modify('+1 minute')) {
        if ($cron->matches(...array_map('intval', explode(' ', $minute->format('i G j n w'))))) {
            $found[] = $minute->format('H:i');
        }
    }
    return $found;
}
date_default_timezone_set('UTC');
foreach (['0 12 * * *', '*/20 3 * * *', '5-10/2,30 1,2 * * *', '58/1 23 29 feb *', '@daily', '  0   6 * * THU ', '0 6 1 * 4', '0 6 29 * 1', '0 6 1 * 1',
    '0 6 */2 * 5', '0 6 29 2 7', '@HOURLY'] as $expression) {
    echo str_pad($expression, 20), implode(" ", minutes($expression)) ?: "never", "\n";
}
echo count(minutes('* * * * *')), ' ', count(minutes('0 0 * * 0', '2024-03-03')), ' ', count(minutes('0 0 * * 7', '2024-03-03')), "\n";
echo "-- refused\n";
foreach (['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8', '5-1 * * * *', '*/0 * * * *', '*/60 * * * *',
    '1,,2 * * * *', 'a * * * *', '* * * mon *', '-1 * * * *', '1-2-3 * * * *', '0 0 30 2 *', '@never'] as $expression) {
    attempt($expression, fn() => new CronExpression($expression));
}
echo "-- due\n";
function due(string $expression, string $zone, string $after, string $until): void
{
    $zone = new DateTimeZone($zone);
    $due = CronClock::due(new CronExpression($expression), $zone, intdiv(strtotime($after), 60), intdiv(strtotime($until), 60));
    echo $due === null ? 'not' : (new DateTimeImmutable('@' . 60 * $due))->setTimezone($zone)->format('H:i T'), "\n";
}
due('*/5 * * * *', 'UTC', '2024-01-01 12:04', '2024-01-01 12:05');
due('*/5 * * * *', 'UTC', '2024-01-01 12:05', '2024-01-01 12:09');
due('*/5 * * * *', 'UTC', '2024-01-01 12:04', '2024-01-01 12:22');
due('30 8 * * *', 'Europe/Berlin', '2024-01-01 07:29', '2024-01-01 07:30');
echo "forward\n"; // 02:00 is followed by 03:00, at 01:00 UTC
due('30 2 * * *', 'Europe/Berlin', '2024-03-31 00:59', '2024-03-31 01:00');
due('30 2 * * *', 'Europe/Berlin', '2024-03-31 01:00', '2024-03-31 03:00');
due('0 3 * * *', 'Europe/Berlin', '2024-03-31 00:59', '2024-03-31 01:00');
due('30 * * * *', 'Europe/Berlin', '2024-03-31 00:59', '2024-03-31 01:00');
echo "back\n"; // 03:00 is followed by 02:00, at 01:00 UTC
due('30 2 * * *', 'Europe/Berlin', '2024-10-27 00:29', '2024-10-27 00:30');
due('30 2 * * *', 'Europe/Berlin', '2024-10-27 00:30', '2024-10-27 03:00');
due('30 * * * *', 'Europe/Berlin', '2024-10-27 01:29', '2024-10-27 01:30');
due('0 3 * * *', 'Europe/Berlin', '2024-10-27 01:59', '2024-10-27 02:00');
echo "-- told\n";
attempt('cron', fn() => Timer::cron('*/5 * * * *', fn() => null));
attempt('zone', fn() => Timer::cron('@daily', fn() => null, 'Europe/Berlin'));
attempt('no zone', fn() => Timer::cron('@daily', fn() => null, 'Europe/Atlantis'));
attempt('no time', fn() => Timer::cron('soon', fn() => null));
attempt('no function', fn() => Timer::cron('@daily', 'no_such_function'));
?>
--EXPECT--
0 12 * * *          12:00
*/20 3 * * *        03:00 03:20 03:40
5-10/2,30 1,2 * * * 01:05 01:07 01:09 01:30 02:05 02:07 02:09 02:30
58/1 23 29 feb *    23:58 23:59
@daily              00:00
  0   6 * * THU     06:00
0 6 1 * 4           06:00
0 6 29 * 1          06:00
0 6 1 * 1           never
0 6 */2 * 5         never
0 6 29 2 7          06:00
@HOURLY             00:00 01:00 02:00 03:00 04:00 05:00 06:00 07:00 08:00 09:00 10:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00 18:00 19:00 20:00 21:00 22:00 23:00
1440 1 1
-- refused
ValueError: "" is no time of cron: it must have five fields (minute, hour, day of the month, month, day of the week), or be one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly
ValueError: "* * * *" is no time of cron: it must have five fields (minute, hour, day of the month, month, day of the week), or be one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly
ValueError: "* * * * * *" is no time of cron: it must have five fields (minute, hour, day of the month, month, day of the week), or be one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly
ValueError: "60" in "60 * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "24" in "* 24 * * *" is no hour of cron: it must be *, 0 to 23, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "0" in "* * 0 * *" is no day of the month of cron: it must be *, 1 to 31, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "13" in "* * * 13 *" is no month of cron: it must be *, 1 to 12, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "8" in "* * * * 8" is no day of the week of cron: it must be *, 0 to 7, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "5-1" in "5-1 * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "*/0" in "*/0 * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "*/60" in "*/60 * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "" in "1,,2 * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "a" in "a * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "mon" in "* * * mon *" is no month of cron: it must be *, 1 to 12, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "-1" in "-1 * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "1-2-3" in "1-2-3 * * * *" is no minute of cron: it must be *, 0 to 59, a range (1-5), any of these with a step (*/5), or a list of them (1,3-5)
ValueError: "0 0 30 2 *" never comes: none of its months has a day 30
ValueError: "@never" is no time of cron: it must have five fields (minute, hour, day of the month, month, day of the week), or be one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly
-- due
12:05 UTC
not
12:20 UTC
08:30 CET
forward
03:00 CEST
not
03:00 CEST
not
back
02:30 CEST
not
02:30 CET
03:00 CET
-- told
cron: fine
zone: fine
ValueError: "Europe/Atlantis" is no time zone: it must be one like "Europe/Berlin" or "UTC"
ValueError: "soon" is no time of cron: it must have five fields (minute, hour, day of the month, month, day of the week), or be one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly
TypeError: Sluice\Timer::cron(): Argument #2 ($callback) must be a valid callback, function "no_such_function" not found or invalid function name
