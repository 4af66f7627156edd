<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** What this package throws, apart from what databases throw. The message says what was given, what is allowed, and what helps. */
class ShardingException extends \RuntimeException {}
