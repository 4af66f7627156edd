<?php

declare(strict_types=1);

// The clock shows what stands in the file CLOCK. An entry goes on for as long as there is a file HOLD.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, CronClock, Timer};

use function Sluice\EndToEnd\{address, report, server};

function now(): float
{
    static $calls = 0;
    if (++$calls === 2) {
        report('looks', ['pid' => getmypid()]);
    }
    return (float) strtotime(file_get_contents(getenv('CLOCK')));
}

date_default_timezone_set('UTC');
$server = server();
$server->http(address(), function (Request $request, Response $response): void {
    try {
        Timer::cron('* * * * *', fn() => null);
    } catch (Throwable $e) {
        $response->text($e->getMessage());
    }
});
$clock = CronClock::ofScript();
$clock->now = now(...);
$clock->speed = 6000.0;
foreach (['five' => '*/5 * * * *', 'hour' => '@hourly'] as $name => $when) {
    Timer::cron($when, fn(DateTimeImmutable $minute) => report('ran', ['entry' => $name, 'minute' => $minute->format('H:i'), 'pid' => getmypid()]));
}
Timer::cron('3 * * * *', function (): void {
    report('held', ['pid' => getmypid()]);
    Coroutine\shield(function (): void {
        while (file_exists(getenv('HOLD'))) {
            clearstatcache();
            usleep(1000);
        }
    });
    report('let go', ['pid' => getmypid()]);
});
Timer::cron('7 * * * *', fn() => throw new RuntimeException('this entry is broken'));
$server->run();
