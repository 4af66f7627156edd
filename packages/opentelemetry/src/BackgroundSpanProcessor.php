<?php

declare(strict_types=1);

namespace Sluice\OpenTelemetry;

use OpenTelemetry\API\Behavior\LogsMessagesTrait;
use OpenTelemetry\Context\{Context, ContextInterface};
use OpenTelemetry\SDK\Common\Future\CancellationInterface;
use OpenTelemetry\SDK\Trace\{ReadableSpanInterface, ReadWriteSpanInterface, SpanDataInterface, SpanExporterInterface, SpanProcessorInterface};
use Sluice\Coroutine\{CancelledError, Mutex};
use Sluice\Metrics\Counter;
use Sluice\{ServerException, Timer};

use function Sluice\Coroutine\id;

/**
 * Exports spans in batches, in a coroutine of its own: no request waits for the collector, and a worker has one export at a time. Spans
 * wait in a queue, and those that find it full are dropped. The metric `otel_sdk_processor_span_processed_total` counts spans, with why
 * they were dropped as `error_type`, and the SDK's log has a warning.
 */
final class BackgroundSpanProcessor implements SpanProcessorInterface
{
    use LogsMessagesTrait;

    /** @var list<SpanDataInterface> */
    private array $queue = [];
    /** Spans that the exporter has. */
    private int $exported = 0;
    /** Dropped since the log was told. */
    private int $dropped = 0;
    private ?Timer $timer = null;
    private bool $isClosed = false;
    private readonly Mutex $exporting;
    private readonly Counter $processed;

    /**
     * @param int $queueSize spans that wait or are exported, 1 to 1,000,000
     * @param float $delay seconds that a span waits for others at most, 0.001 to 3,600; a full batch is exported at once
     * @param int $batchSize spans of one export, 1 to $queueSize
     * @throws \ValueError for an argument that is out of range
     */
    public function __construct(
        private readonly SpanExporterInterface $exporter,
        private readonly int $queueSize = 2048,
        private readonly float $delay = 5.0,
        private readonly int $batchSize = 512,
    ) {
        if ($queueSize < 1 || $queueSize > 1_000_000) {
            throw new \ValueError("\$queueSize must be between 1 and 1,000,000, $queueSize given");
        }
        if (!($delay >= 0.001 && $delay <= 3600)) {
            throw new \ValueError("\$delay must be between 0.001 and 3,600 seconds, $delay given");
        }
        if ($batchSize < 1 || $batchSize > $queueSize) {
            throw new \ValueError("\$batchSize must be between 1 and \$queueSize, which is $queueSize, $batchSize given");
        }
        $this->exporting = new Mutex();
        $this->processed = new Counter('otel_sdk_processor_span_processed_total', 'Spans of the SDK that were exported, or dropped for error_type.', ['error_type']);
        foreach (['', 'queue_full', 'export_failed'] as $error) {
            $this->count($error, 0);
        }
    }

    public function onStart(ReadWriteSpanInterface $span, ContextInterface $parentContext): void {}

    public function onEnd(ReadableSpanInterface $span): void
    {
        if ($this->isClosed || !$span->getContext()->isSampled()) {
            return;
        }
        if (\count($this->queue) + $this->exported >= $this->queueSize) {
            $this->drop('queue_full', 1);
            return;
        }
        $this->queue[] = $span->toSpanData();
        if ($this->exported === 0 && \count($this->queue) === $this->batchSize) {
            $this->timer?->cancel();
            $this->timer = null;
            $this->exportAfter(0.0);
        } else {
            $this->exportAfter($this->delay);
        }
    }

    /** Exports what waits, and returns when the exporter has it. */
    public function forceFlush(?CancellationInterface $cancellation = null): bool
    {
        return !$this->isClosed && $this->export() && $this->exporter->forceFlush($cancellation);
    }

    /** To be called in `Server::onWorkerStop()`, or by `TracerProvider::shutdown()`. */
    public function shutdown(?CancellationInterface $cancellation = null): bool
    {
        if ($this->isClosed) {
            return false;
        }
        $this->isClosed = true;
        $this->timer?->cancel();
        $this->timer = null;
        return $this->export() && $this->exporter->shutdown($cancellation);
    }

    /** A timer's coroutine works for no request: it ends with none, and has no span of one. */
    private function exportAfter(float $seconds): void
    {
        try {
            $this->timer ??= Timer::after($seconds, function (): void {
                $this->timer = null;
                $this->export();
            });
        } catch (ServerException) {
            // A script, or the boot of a server: nothing runs in the background.
            if ($seconds === 0.0) {
                $this->export();
            }
        }
    }

    /** Exports until the queue is empty. false: spans were dropped. */
    private function export(): bool
    {
        $isInCoroutine = id() !== 0;
        if ($isInCoroutine) {
            $this->exporting->lock();
        }
        $scope = Context::getRoot()->activate();
        try {
            $succeeds = true;
            while ($this->queue !== []) {
                $batch = \array_splice($this->queue, 0, $this->batchSize);
                $this->exported += \count($batch);
                try {
                    $succeeds = $this->send($batch) && $succeeds;
                } finally {
                    $this->exported -= \count($batch);
                }
            }
            return $succeeds;
        } finally {
            $scope->detach();
            $this->tell();
            if ($isInCoroutine) {
                $this->exporting->unlock();
            }
        }
    }

    /** @param list<SpanDataInterface> $batch */
    private function send(array $batch): bool
    {
        try {
            if ($this->exporter->export($batch)->await() === true) {
                $this->count('', \count($batch));
                return true;
            }
        } catch (CancelledError $error) {
            // The worker ends, and shutdown() tries once more.
            $this->queue = [...$batch, ...$this->queue];
            throw $error;
        } catch (\Throwable $error) {
            self::logError('Spans cannot be exported', ['exception' => $error]);
        }
        $this->drop('export_failed', \count($batch));
        return false;
    }

    private function drop(string $error, int $spans): void
    {
        $this->dropped += $spans;
        $this->count($error, $spans);
    }

    private function count(string $error, int $spans): void
    {
        $this->processed->labels(error_type: $error)->inc($spans);
    }

    private function tell(): void
    {
        if ($this->dropped > 0) {
            self::logWarning("$this->dropped spans were dropped: the collector is slow or takes none, or the queue of $this->queueSize is short");
        }
        $this->dropped = 0;
    }
}
