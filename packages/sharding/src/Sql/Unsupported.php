<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\RefusedException;

/** A statement that is refused, for it cannot be proved where it belongs. */
final class Unsupported extends RefusedException
{
    /**
     * @param string $vitessCode such as VT12001
     * @param string $what what is not supported, with table and column
     * @param string $remedy what helps
     */
    public function __construct(string $vitessCode, public readonly string $what, public readonly string $remedy)
    {
        parent::__construct($vitessCode, ($vitessCode === 'VT12001' ? 'unsupported: ' : '') . "$what. $remedy");
    }

    public static function because(string $what, string $remedy): self
    {
        return new self('VT12001', $what, $remedy);
    }
}
