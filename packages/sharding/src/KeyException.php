<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** A value cannot be a sharding key: it has the wrong type, is out of range, or would not be exact. */
final class KeyException extends RefusedException
{
    public function __construct(string $message)
    {
        parent::__construct('VT09023', $message);
    }
}
