<?php

declare(strict_types=1);

// Handlers that use OpenTelemetry's SDK. What it exports goes to the collector of COLLECTOR; `/received` is such a collector's side.

use OpenTelemetry\API\Baggage\Baggage;
use OpenTelemetry\API\Trace\Propagation\TraceContextPropagator;
use OpenTelemetry\API\Trace\{Span, TracerInterface};
use OpenTelemetry\Context\Context;
use OpenTelemetry\SDK\Trace\SpanExporter\InMemoryExporter;
use OpenTelemetry\SDK\Trace\SpanProcessor\SimpleSpanProcessor;
use OpenTelemetry\SDK\Trace\{SpanDataInterface, TracerProvider};
use Sluice\{Coroutine, Mode, Server, Timer};
use Sluice\Http\{Request, Response, Trace};
use Sluice\OpenTelemetry\RequestIds;

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$exporter = new InMemoryExporter();
$provider = new TracerProvider(new SimpleSpanProcessor($exporter), idGenerator: new RequestIds());
$tracer = $provider->getTracer('test');
$address = \getenv('ADDRESS') ?: '127.0.0.1:8080';

/** @return array<string, string|null> */
function seen(): array
{
    $span = Span::getCurrent()->getContext();
    return ['trace' => $span->getTraceId(), 'span' => $span->getSpanId(), 'tenant' => Baggage::getCurrent()->getValue('tenant')];
}

/** What curl sends as traceparent when the propagator gives it the fields, with the active span. */
function called(string $address): array
{
    $fields = [];
    TraceContextPropagator::getInstance()->inject($fields);
    $curl = \curl_init("http://$address/echo");
    \curl_setopt_array($curl, [
        \CURLOPT_RETURNTRANSFER => true,
        \CURLOPT_HTTPHEADER => \array_map(fn(string $name, string $value) => "$name: $value", \array_keys($fields), $fields),
    ]);
    $sent = \json_decode((string) \curl_exec($curl), true);
    return ['span' => Span::getCurrent()->getContext()->getSpanId(), 'sent' => $sent];
}

/** Spans that wait for one another in the middle: first, second, first, second. */
function nested(TracerInterface $tracer, string $name, string $address, Coroutine\Channel $mine, Coroutine\Channel $other): array
{
    $outer = $tracer->spanBuilder("$name outer")->startSpan();
    $outerScope = $outer->activate();
    $mine->push(true);
    $other->pop();
    $inner = $tracer->spanBuilder("$name inner")->startSpan();
    $innerScope = $inner->activate();
    $called = called($address);
    $detached = $innerScope->detach();
    $inner->end();
    $after = Span::getCurrent()->getContext()->getSpanId();
    $detached |= $outerScope->detach();
    $outer->end();
    return ['outer' => $outer->getContext()->getSpanId(), 'inner' => $inner->getContext()->getSpanId(), 'called' => $called, 'after' => $after, 'detached' => $detached];
}

$server = new Server(Mode::from(\getenv('MODE') ?: 'process'), workers: 1, reactors: 1);
if (\getenv('TRACES') !== false) {
    $server->tracing('http://127.0.0.1:9/v1/traces', ratio: \getenv('TRACES') === 'environment' ? null : (float) \getenv('TRACES'));
}
$site = $server->http($address, fn(Request $request, Response $response) => $response->json(seen()));
$site->get('/sampled', fn(Request $request, Response $response) => $response->json($request->trace()->isSampled()));
$site->get('/echo', fn(Request $request, Response $response) => $response->text(\json_encode($request->header('traceparent'))));
$site->get('/spans', fn(Request $request, Response $response) => $response->json(\array_map(fn(SpanDataInterface $span) => [
    'name' => $span->getName(), 'trace' => $span->getTraceId(), 'span' => $span->getSpanId(), 'parent' => $span->getParentSpanId(),
], $exporter->getSpans())));
$site->get('/nested', function (Request $request, Response $response) use ($tracer, $address): void {
    [$a, $b] = [new Coroutine\Channel(1), new Coroutine\Channel(1)];
    $both = Coroutine\all(
        first: fn() => nested($tracer, 'first', $address, $a, $b),
        second: fn() => nested($tracer, 'second', $address, $b, $a),
    );
    $response->json(['trace' => $request->trace()->traceId(), 'span' => $request->trace()->spanId(), 'current' => seen(), ...$both]);
});
// What is attached, and what a coroutine takes over.
$site->get('/scopes', function (Request $request, Response $response) use ($tracer): void {
    $span = $tracer->spanBuilder('parent')->startSpan();
    $scope = $span->activate();
    $said = [];
    $child = Coroutine\spawn(function () use (&$said, $span): void {
        $said['the scope is not mine'] = Context::storage()->scope() === null;
        $said['the span is'] = Span::getCurrent() === $span;
        Coroutine\sleep(0.001);
        $said['the span is, also after it was detached'] = Span::getCurrent() === $span;
    });
    Coroutine\sleep(0);
    $said['detached'] = $scope->detach();
    $said['detached twice'] = $scope->detach() !== 0;
    $child->await();
    $span->end();
    $said['the request is current'] = Span::getCurrent()->getContext()->getSpanId() === Trace::current()?->spanId();
    $fired = new Coroutine\Channel(1);
    $span = $tracer->spanBuilder('of a timer')->startSpan();
    $scope = $span->activate();
    Timer::after(0.001, fn() => $fired->push(Span::getCurrent() === $span));
    $scope->detach();
    $said['a timer goes on with the span'] = $fired->pop();
    $response->json($said);
});
// Left attached: the next request of this worker must not see it.
$site->get('/left', function (Request $request, Response $response) use ($tracer): void {
    $tracer->spanBuilder('left')->startSpan()->activate();
    $response->json(seen());
});
$server->run();
