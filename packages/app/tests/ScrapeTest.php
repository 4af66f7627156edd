<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\App\Admin\Scrape;
use Sluice\App\Command\DiffCommand;
use Symfony\Component\Console\Tester\CommandTester;

/** `diff`. */
#[CoversClass(Scrape::class)]
#[CoversClass(DiffCommand::class)]
final class ScrapeTest extends TestCase
{
    /** @param array<string, array{int, int, float}> $routes by route: requests up to 5 ms, requests up to 10 ms, sum in seconds */
    private static function text(array $routes): string
    {
        $text = "# HELP sluice_http_first_byte_seconds Time.\n# TYPE sluice_http_first_byte_seconds histogram\n";
        foreach ($routes as $route => [$fast, $slow, $sum]) {
            $labels = "site=\"127.0.0.1:8080\",route=\"$route\",method=\"GET\",status=\"2xx\"";
            foreach (['0.005' => $fast, '0.01' => $fast + $slow, '+Inf' => $fast + $slow] as $bound => $count) {
                $text .= "sluice_http_first_byte_seconds_bucket{{$labels},le=\"$bound\"} $count\n";
            }
            $text .= "sluice_http_first_byte_seconds_sum{{$labels}} $sum\nsluice_http_first_byte_seconds_count{{$labels}} " . ($fast + $slow) . "\n";
        }
        return $text;
    }

    public function testPercentilesAreLinearWithinTheirBucket(): void
    {
        $scrape = Scrape::of(self::text(['/a' => [50, 50, 0.5]]));
        self::assertEqualsWithDelta(0.005, $scrape->percentile('127.0.0.1:8080 /a', 0.5), 1e-9);
        self::assertEqualsWithDelta(0.009, $scrape->percentile('127.0.0.1:8080 /a', 0.9), 1e-9);
        self::assertEqualsWithDelta(0.005, $scrape->mean('127.0.0.1:8080 /a'), 1e-9);
        self::assertNull($scrape->mean('127.0.0.1:8080 /b'));
    }

    public function testAnotherTextIsRefused(): void
    {
        $this->expectException(\ValueError::class);
        Scrape::of("# TYPE up gauge\nup 1\n");
    }

    public function testDiffTellsWhichRoutesHaveBecomeSlower(): void
    {
        $files = [];
        foreach ([['/a' => [100, 0, 0.1], '/b' => [100, 0, 0.2]], ['/a' => [100, 100, 0.9], '/b' => [200, 0, 0.4]]] as $routes) {
            $files[] = $file = (string) \tempnam(\sys_get_temp_dir(), 'sluice-scrape-');
            \file_put_contents($file, self::text($routes));
        }
        $tester = new CommandTester(new DiffCommand());
        self::assertSame(0, $tester->execute(['before' => $files[0], 'after' => $files[1]]));
        $shown = $tester->getDisplay();
        \array_map(\unlink(...), $files);
        // The slowest comes first: 100 requests took 0.8 s, where 100 took 0.1 s before.
        self::assertMatchesRegularExpression('~/a .*1\.0 ms .*8\.0 ms .*\+700 %.*/b .*2\.0 ms .*2\.0 ms .*\+0 %~s', $shown);
    }

    public function testAMissingFileIsNamed(): void
    {
        $tester = new CommandTester(new DiffCommand());
        self::assertSame(1, $tester->execute(['before' => '/nonexistent', 'after' => '/nonexistent']));
        self::assertStringContainsString('/nonexistent', $tester->getDisplay());
    }
}
