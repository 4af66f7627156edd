<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\SimpleCache\InvalidArgumentException;

/** What was given is no key of a cache. */
final class CacheKeyException extends \InvalidArgumentException implements InvalidArgumentException {}
