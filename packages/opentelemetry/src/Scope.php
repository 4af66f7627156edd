<?php

declare(strict_types=1);

namespace Sluice\OpenTelemetry;

use OpenTelemetry\Context\{ContextInterface, ContextStorageScopeInterface};
use Sluice\Http\Trace;

use function Sluice\Coroutine\id;

/**
 * A context that was attached.
 *
 * @internal
 */
final class Scope implements ContextStorageScopeInterface
{
    /** The request that it was attached in. */
    public readonly ?Trace $trace;
    private readonly int $coroutine;
    private bool $isDetached = false;
    /** @var array<array-key, mixed> */
    private array $values = [];

    public function __construct(private readonly ContextStorage $storage, private readonly ContextInterface $context, private readonly ?self $previous)
    {
        $this->trace = Trace::current();
        $this->coroutine = id();
    }

    public function context(): ContextInterface
    {
        return $this->context;
    }

    public function detach(): int
    {
        if ($this->isDetached) {
            return self::DETACHED | ($this->isOfRunningCoroutine() ? 0 : self::INACTIVE);
        }
        $above = $this->isOfRunningCoroutine() ? $this->above() : 0;
        $this->isDetached = true;
        if (!$this->isOfRunningCoroutine()) {
            return self::INACTIVE;
        }
        $this->storage->leave();
        return $above === 0 ? 0 : self::MISMATCH | $above;
    }

    public function previous(): ?self
    {
        return $this->previous;
    }

    public function isDetached(): bool
    {
        return $this->isDetached;
    }

    public function isOfRunningCoroutine(): bool
    {
        return $this->coroutine === id();
    }

    /** @param array-key $offset */
    public function offsetExists(mixed $offset): bool
    {
        return isset($this->values[$offset]);
    }

    /** @param array-key $offset */
    public function offsetGet(mixed $offset): mixed
    {
        return $this->values[$offset] ?? null;
    }

    /** @param array-key $offset */
    public function offsetSet(mixed $offset, mixed $value): void
    {
        $this->values[$offset] = $value;
    }

    /** @param array-key $offset */
    public function offsetUnset(mixed $offset): void
    {
        unset($this->values[$offset]);
    }

    /** How many scopes were attached later, and are attached still. */
    private function above(): int
    {
        $above = 0;
        for ($scope = $this->storage->attached(); $scope !== null && $scope !== $this; $scope = $scope->previous) {
            $above += $scope->isDetached ? 0 : 1;
        }
        return $above;
    }
}
