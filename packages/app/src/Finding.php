<?php

declare(strict_types=1);

namespace Sluice\App;

/** What `check` has found in one place. */
final class Finding
{
    /** @param string|null $advice a sentence on what to do; null: it is good as it is */
    public function __construct(
        public readonly string $what,
        public readonly string $value,
        public readonly ?string $advice = null,
        public readonly bool $isFatal = false,
    ) {}
}
