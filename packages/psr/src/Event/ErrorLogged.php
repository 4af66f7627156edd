<?php

declare(strict_types=1);

namespace Sluice\Psr\Event;

use Sluice\Http\Request;

/** An exception that nobody has caught was logged. */
final class ErrorLogged
{
    public function __construct(
        public readonly \Throwable $error,
        /** The request whose HTTP or handshake handler has thrown; null: another handler, a timer or a spawned coroutine has. */
        public readonly ?Request $request,
    ) {}
}
