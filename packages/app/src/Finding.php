<?php

declare(strict_types=1);

namespace Sluice\App;

/** The result of one check of the command `check`. */
final class Finding
{
    /**
     * @param string $what the setting or limit
     * @param string $value its present value
     * @param string|null $advice what to do; null: the value is good
     * @param bool $isFatal whether a server cannot run like this
     */
    public function __construct(
        public readonly string $what,
        public readonly string $value,
        public readonly ?string $advice = null,
        public readonly bool $isFatal = false,
    ) {}
}
