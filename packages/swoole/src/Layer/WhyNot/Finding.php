<?php

declare(strict_types=1);

namespace Sluice\Swoole\WhyNot;

/** A piece of Swoole's API that a project uses, and where. */
final class Finding
{
    public function __construct(
        public readonly string $name,
        public readonly Verdict $verdict,
        public readonly string $how,
        public readonly string $file,
        public readonly int $line,
    ) {}
}
