<?php

declare(strict_types=1);

namespace Sluice\OpenTelemetry;

use OpenTelemetry\API\Baggage\Propagation\BaggagePropagator;
use OpenTelemetry\API\Trace\Propagation\TraceContextPropagator;
use OpenTelemetry\Context\{Context, ContextInterface, ContextStorageInterface, ContextStorageScopeInterface, ExecutionContextAwareInterface};
use Sluice\Coroutine\ContextValue;
use Sluice\Http\Trace;

/**
 * OpenTelemetry's current context, one for each coroutine. A spawned coroutine begins with that of the coroutine that spawns it.
 *
 * Where nothing is attached, the context in a request's coroutines has the request's span, so that spans of the SDK are its children,
 * and the request's baggage.
 */
final class ContextStorage implements ContextStorageInterface, ExecutionContextAwareInterface
{
    /** @var ContextValue<Scope|null> what was attached last */
    private readonly ContextValue $attached;
    /** @var \WeakMap<Trace, ContextInterface> */
    private readonly \WeakMap $contexts;

    public function __construct()
    {
        /** @var ContextValue<Scope|null> $attached */
        $attached = new ContextValue();
        $this->attached = $attached;
        /** @var \WeakMap<Trace, ContextInterface> $contexts */
        $contexts = new \WeakMap();
        $this->contexts = $contexts;
    }

    public function scope(): ?ContextStorageScopeInterface
    {
        $scope = $this->attached();
        return $scope !== null && $scope->isOfRunningCoroutine() ? $scope : null;
    }

    public function current(): ContextInterface
    {
        return $this->attached()?->context() ?? $this->contextOf(Trace::current());
    }

    public function attach(ContextInterface $context): ContextStorageScopeInterface
    {
        $scope = new Scope($this, $context, $this->attached());
        $this->attached->set($scope);
        return $scope;
    }

    /** @internal for Scope: goes back to what is still attached. */
    public function leave(): void
    {
        $this->attached->set($this->attached());
    }

    /** @internal for Scope: what was attached last, and is attached still; of the running request, if there is one. */
    public function attached(): ?Scope
    {
        $scope = $this->attached->get();
        // What a coroutine has taken over stays its context, also when the coroutine that has attached it detaches it.
        while ($scope !== null && $scope->isDetached() && $scope->isOfRunningCoroutine()) {
            $scope = $scope->previous();
        }
        if ($scope === null) {
            return null;
        }
        $trace = Trace::current();
        return $trace === null || $scope->trace === $trace ? $scope : null;
    }

    /** Coroutines need not be told apart by whoever switches them. */
    public function fork(int|string $id): void {}

    public function switch(int|string $id): void {}

    public function destroy(int|string $id): void {}

    private function contextOf(?Trace $trace): ContextInterface
    {
        return $trace === null ? Context::getRoot() : $this->contexts[$trace] ??= self::read($trace);
    }

    private static function read(Trace $trace): ContextInterface
    {
        $headers = $trace->headers();
        $context = BaggagePropagator::getInstance()->extract($headers, context: Context::getRoot());
        // A parent whose sampling nobody has decided about would say that nothing is to be recorded.
        return $trace->isDecided() ? TraceContextPropagator::getInstance()->extract($headers, context: $context) : $context;
    }
}
