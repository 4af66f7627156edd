<?php

declare(strict_types=1);

namespace Sluice\WebSocket;

/** A message that the WebSocket client has received. */
final class Message
{
    /** @internal */
    public function __construct(
        /** The payload; UTF-8 in a text message. */
        public readonly string $data,
        /** Whether it is a binary message, and not a text message. */
        public readonly bool $binary,
    ) {}
}
