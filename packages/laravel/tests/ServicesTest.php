<?php

declare(strict_types=1);

namespace Sluice\Laravel\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\Laravel\Services\Scheduler;

/** The scheduler as a service of a server. The service for queues needs a Redis server, and is tested end to end. */
#[CoversClass(Scheduler::class)]
final class ServicesTest extends TestCase
{
    public function testTheSchedulerRunsOnceAMinute(): void
    {
        $application = new Application();
        $begin = \time();
        $server = $application->serve(environment: ['QUEUE' => 'yes', 'WORKERS' => '2']);
        $server->waitUntil(static fn() => \count(self::lines($application, 'scheduled')) >= 2, 'it has run twice');
        $server->stop();
        // In this test a minute takes a second.
        $lines = self::lines($application, 'scheduled');
        self::assertLessThanOrEqual(\time() - $begin, \count($lines));
        self::assertSame(['Laravel'], \array_values(\array_unique($lines)));
    }

    /** @return list<string> */
    private static function lines(Application $application, string $file): array
    {
        return \array_values(\array_filter(\explode("\n", (string) @\file_get_contents("$application->folder/storage/$file"))));
    }
}
