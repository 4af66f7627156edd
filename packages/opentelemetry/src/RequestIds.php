<?php

declare(strict_types=1);

namespace Sluice\OpenTelemetry;

use OpenTelemetry\SDK\Trace\RandomIdGenerator;
use Sluice\Http\Trace;

/**
 * For a TracerProvider: a trace that begins in a request has the id that the server's logs say. This concerns requests whose caller has
 * decided nothing, on a server without `Server::tracing()`; other spans are children of the request's span anyway.
 */
final class RequestIds extends RandomIdGenerator
{
    public function generateTraceId(): string
    {
        $trace = Trace::current();
        return $trace === null || $trace->isDecided() ? parent::generateTraceId() : $trace->traceId();
    }
}
