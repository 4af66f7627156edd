<?php

declare(strict_types=1);

namespace Sluice\OpenTelemetry\Tests;

use OpenTelemetry\API\Trace\SpanKind;
use OpenTelemetry\Context\Context;
use OpenTelemetry\SDK\Common\Attribute\Attributes;
use OpenTelemetry\SDK\Trace\Sampler\TraceIdRatioBasedSampler;
use OpenTelemetry\SDK\Trace\SamplingResult;
use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\TestServer;

/**
 * Spans of OpenTelemetry's SDK in handlers, whose parents are what coroutines have, not what ran last.
 *
 * @phpstan-type One array{outer: string, inner: string, called: array{span: string, sent: string}, after: string, detached: int}
 */
#[CoversNothing]
final class ContextStorageTest extends TestCase
{
    private const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
    private const CALLER = 'traceparent: 00-' . self::TRACE . '-00f067aa0ba902b7-01';

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testSpansOfTwoCoroutinesAreNestedInTheRequestsSpan(string $mode): void
    {
        $server = TestServer::start(__DIR__ . '/servers/traced.php', $mode);
        $said = self::nested($server, [self::CALLER, 'baggage: tenant=a%20b']);
        self::assertSame(['trace' => self::TRACE, 'span' => $said['span'], 'tenant' => 'a b'], $said['current']);
        $spans = self::spans($server);
        self::assertCount(4, $spans);
        foreach (['first', 'second'] as $name) {
            $one = $said[$name];
            self::assertSame([self::TRACE, $one['outer'], $said['span']], self::of($spans["$name outer"]), $name);
            self::assertSame([self::TRACE, $one['inner'], $one['outer']], self::of($spans["$name inner"]), $name);
            self::assertSame($one['inner'], $one['called']['span']);
            self::assertSame('00-' . self::TRACE . "-{$one['inner']}-01", $one['called']['sent'], 'curl sends the active span');
            self::assertSame($one['outer'], $one['after']);
            self::assertSame(0, $one['detached']);
        }
        self::assertCount(4, \array_unique(\array_column($spans, 'span')));
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testScopesBelongToCoroutines(string $mode): void
    {
        $server = TestServer::start(__DIR__ . '/servers/traced.php', $mode);
        self::assertSame([
            'the scope is not mine' => true, 'the span is' => true, 'detached' => 0, 'detached twice' => true,
            'the span is, also after it was detached' => true, 'the request is current' => true, 'a timer goes on with the span' => true,
        ], $server->get('/scopes', [self::CALLER])->json());
        $left = $server->get('/left', [self::CALLER])->json();
        $next = $server->get('/', [self::CALLER])->json();
        self::assertIsArray($left);
        self::assertIsArray($next);
        self::assertSame(self::TRACE, $next['trace']);
        self::assertNotSame($left['span'], $next['span']);
        $server->stop();
    }

    /** Without a caller the SDK's sampler decides, unless the server's has. */
    #[TestWith(['process', null, 4])]
    #[TestWith(['base', null, 4])]
    #[TestWith(['process', '1', 4])]
    #[TestWith(['process', '0', 0])]
    public function testWhoDecidesAboutSampling(string $mode, ?string $ratio, int $count): void
    {
        $server = TestServer::start(__DIR__ . '/servers/traced.php', $mode, $ratio === null ? [] : ['TRACES' => $ratio]);
        $said = self::nested($server, []);
        $spans = self::spans($server);
        self::assertCount($count, $spans);
        foreach ($spans as $name => $span) {
            self::assertSame($said['trace'], $span['trace'], $name);
        }
        if ($count > 0) {
            self::assertSame($ratio === null ? '0000000000000000' : $said['span'], $spans['first outer']['parent']);
        }
        $server->stop();
    }

    public function testTheServersRatioIsTheSdks(): void
    {
        $server = TestServer::start(__DIR__ . '/servers/traced.php', 'base', [
            'TRACES' => 'environment', 'OTEL_TRACES_SAMPLER' => 'traceidratio', 'OTEL_TRACES_SAMPLER_ARG' => '0.3',
        ]);
        $sampler = new TraceIdRatioBasedSampler(0.3);
        $decisions = [];
        for ($number = 0; $number < 40; ++$number) {
            $id = \md5("trace $number");
            $decision = $sampler->shouldSample(Context::getRoot(), $id, 'a', SpanKind::KIND_SERVER, Attributes::create([]), [])->getDecision();
            $decisions[] = $decision === SamplingResult::RECORD_AND_SAMPLE;
            self::assertSame(\end($decisions), $server->get('/sampled', ["traceparent: 00-$id-00f067aa0ba902b7-00"])->json(), $id);
        }
        self::assertCount(2, \array_unique($decisions));
        $server->stop();
    }

    /**
     * What the handler says of its request, and of its two coroutines.
     *
     * @param list<string> $headers
     * @return array{trace: string, span: string, current: array<mixed>, first: One, second: One}
     */
    private static function nested(TestServer $server, array $headers): array
    {
        $said = $server->get('/nested', $headers)->json();
        self::assertIsArray($said, $server->log());
        /** @var array{trace: string, span: string, current: array<mixed>, first: One, second: One} */
        return $said;
    }

    /** @return array<string, array<string, string>> by name */
    private static function spans(TestServer $server): array
    {
        /** @var array<string, array<string, string>> */
        return \array_column((array) $server->get('/spans')->json(), null, 'name');
    }

    /**
     * @param array<string, string> $span
     * @return list<string>
     */
    private static function of(array $span): array
    {
        return [$span['trace'], $span['span'], $span['parent']];
    }
}
