<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\SimpleCache\InvalidArgumentException;

/** A key of SimpleCache is not allowed by PSR-16, or too long. */
final class CacheKeyException extends \InvalidArgumentException implements InvalidArgumentException {}
