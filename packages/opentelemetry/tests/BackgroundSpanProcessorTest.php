<?php

declare(strict_types=1);

namespace Sluice\OpenTelemetry\Tests;

use OpenTelemetry\SDK\Trace\SpanExporter\InMemoryExporter;
use OpenTelemetry\SDK\Trace\TracerProvider;
use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\OpenTelemetry\BackgroundSpanProcessor;
use Sluice\Testing\TestServer;

#[CoversNothing]
final class BackgroundSpanProcessorTest extends TestCase
{
    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testACollectorThatDoesNotAnswerHoldsUpNobody(string $mode): void
    {
        [$collector, $server] = self::servers($mode, ['HOLD' => '1'], '0.001');
        self::assertSame('made', $server->get('/make/2')->body);
        $collector->waitUntil(static fn() => self::received($collector)['asked'] === 1, 'the first spans are exported');
        self::assertSame('made', $server->get('/make/5')->body, 'while the collector holds the first');
        self::assertSame(['' => 0, 'queue_full' => 3, 'export_failed' => 0], self::counts($server));
        $collector->get('/release');
        $server->waitUntil(static fn() => self::counts($server) === ['' => 4, 'queue_full' => 3, 'export_failed' => 0], 'all that were kept are exported');
        self::assertSame(['spans' => 4, 'asked' => 2], self::received($collector));
        $server->waitUntil(static fn() => \str_contains($server->log(), '3 spans were dropped'), 'the log says so');
        $server->stop();
        $collector->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testWhatWaitsIsExportedAsTheServerEnds(string $mode): void
    {
        [$collector, $server] = self::servers($mode, [], '3600');
        $server->get('/make/1');
        $server->stop();
        self::assertSame(1, self::received($collector)['spans']);
        $collector->stop();
    }

    public function testWhatTheCollectorRefusesIsDropped(): void
    {
        [$collector, $server] = self::servers('base', ['STATUS' => '400'], '0.001');
        $server->get('/make/1');
        $server->waitUntil(static fn() => self::counts($server) === ['' => 0, 'queue_full' => 0, 'export_failed' => 1], 'the span is counted');
        $server->waitUntil(static fn() => \str_contains($server->log(), '1 spans were dropped'), 'the log says so');
        self::assertSame(1, self::received($collector)['asked']);
        $server->stop();
        $collector->stop();
    }

    public function testAScriptExportsFullBatches(): void
    {
        $exporter = new InMemoryExporter();
        $provider = new TracerProvider(new BackgroundSpanProcessor($exporter, batchSize: 2));
        for ($count = 1; $count <= 3; ++$count) {
            $provider->getTracer('test')->spanBuilder('a')->startSpan()->end();
        }
        self::assertCount(2, $exporter->getSpans());
        $provider->forceFlush();
        self::assertCount(3, $exporter->getSpans());
        $provider->shutdown();
    }

    #[TestWith([0, 1.0, 1, '$queueSize must be between 1 and 1,000,000, 0 given'])]
    #[TestWith([2, \NAN, 1, '$delay must be between 0.001 and 3,600 seconds, NAN given'])]
    #[TestWith([2, 1.0, 3, '$batchSize must be between 1 and $queueSize, which is 2, 3 given'])]
    public function testArgumentsAreChecked(int $queueSize, float $delay, int $batchSize, string $message): void
    {
        $this->expectException(\ValueError::class);
        $this->expectExceptionMessage($message);
        new BackgroundSpanProcessor(new InMemoryExporter(), $queueSize, $delay, $batchSize);
    }

    /**
     * @param array<string, string> $environment of the collector
     * @return array{TestServer, TestServer}
     */
    private static function servers(string $mode, array $environment, string $delay): array
    {
        $collector = TestServer::start(__DIR__ . '/servers/collector.php', 'base', $environment);
        return [$collector, TestServer::start(__DIR__ . '/servers/exporting.php', $mode, ['COLLECTOR' => \rtrim($collector->url(), '/'), 'DELAY' => $delay])];
    }

    /**
     * @return array<mixed> spans by error_type
     * @phpstan-impure
     */
    private static function counts(TestServer $server): array
    {
        return (array) $server->get('/')->json();
    }

    /**
     * @return array{spans: int, asked: int}
     * @phpstan-impure
     */
    private static function received(TestServer $collector): array
    {
        /** @var array{spans: int, asked: int} */
        return $collector->get('/')->json();
    }
}
