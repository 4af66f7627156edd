<?php

declare(strict_types=1);

namespace Sluice\Symfony\WebSocket;

use Sluice\WebSocket\Handshake;

/** What a WebSocket controller implements to decide who may connect, and to attach to the connection who that is. */
interface DecidesOnHandshakes
{
    /** The client is accepted unless `$handshake->refuse()` is called. */
    public function handshake(Handshake $handshake): void;
}
