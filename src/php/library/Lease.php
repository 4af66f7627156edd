<?php

declare(strict_types=1);

namespace Sluice;

/**
 * An item borrowed from a Pool. The item also returns to the pool when this object is released.
 *
 * @template T
 */
final class Lease
{
    /**
     * @internal
     * @param T $item the borrowed item
     * @param null|\Closure(bool): void $end
     */
    public function __construct(public readonly mixed $item, private ?\Closure $end) {}

    /** Returns the item to the pool; it must not be used any more. A further call does nothing. */
    public function giveBack(): void
    {
        $this->end(false);
    }

    /** Returns a broken item to the pool, which closes it and does not lend it again. */
    public function discard(): void
    {
        $this->end(true);
    }

    public function __destruct()
    {
        $this->end(false);
    }

    private function __clone() {}

    private function end(bool $discard): void
    {
        $end = $this->end;
        $this->end = null;
        if ($end !== null) {
            $end($discard);
        }
    }
}
