<?php

declare(strict_types=1);

// Makes spans, which BackgroundSpanProcessor exports to COLLECTOR.

use Nyholm\Psr7\Factory\Psr17Factory;
use OpenTelemetry\Contrib\Otlp\SpanExporter;
use OpenTelemetry\SDK\Common\Export\Http\PsrTransportFactory;
use OpenTelemetry\SDK\Trace\TracerProvider;
use Sluice\{Mode, Server};
use Sluice\Http\{Request, Response};
use Sluice\Metrics\Counter;
use Sluice\OpenTelemetry\{BackgroundSpanProcessor, RequestIds};
use Sluice\Psr\Client;

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$factory = new Psr17Factory();
$transport = (new PsrTransportFactory(new Client(), $factory, $factory))->create(\getenv('COLLECTOR') . '/v1/traces', 'application/json');
$processor = new BackgroundSpanProcessor(new SpanExporter($transport), queueSize: 4, delay: (float) \getenv('DELAY'), batchSize: 2);
$provider = new TracerProvider($processor, idGenerator: new RequestIds());
$tracer = $provider->getTracer('test');

$server = new Server(Mode::from(\getenv('MODE') ?: 'process'), workers: 1, reactors: 1);
$server->onWorkerStop(fn() => $provider->shutdown());
$site = $server->http(\getenv('ADDRESS') ?: '127.0.0.1:8080', function (Request $request, Response $response): void {
    $counter = new Counter('otel_sdk_processor_span_processed_total', 'Spans of the SDK that were exported, or dropped for error_type.', ['error_type']);
    $counts = [];
    foreach (['', 'queue_full', 'export_failed'] as $error) {
        $counts[$error] = $counter->labels(error_type: $error)->value();
    }
    $response->json($counts);
});
$site->get('/make/{count}', function (Request $request, Response $response) use ($tracer): void {
    for ($left = (int) $request->parameter('count'); $left > 0; --$left) {
        $tracer->spanBuilder('made')->startSpan()->end();
    }
    $response->text('made');
});
$server->run();
