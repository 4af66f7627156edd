<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Http\Request;

/** Nobody has caught an exception, and the log has it. */
final class ErrorLogged
{
    public function __construct(
        public readonly \Throwable $error,
        /** Whose handler it came out of; null: another handler, a timer or a spawned coroutine. */
        public readonly ?Request $request,
    ) {}
}
