<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** A part of a statement that is replaced; its parameters go with it. */
final readonly class Edit
{
    public function __construct(public int $start, public int $end, public string $text) {}
}
