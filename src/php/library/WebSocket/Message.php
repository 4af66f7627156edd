<?php

declare(strict_types=1);

namespace Sluice\WebSocket;

/** What a server has sent. */
final class Message
{
    /** @internal */
    public function __construct(
        /** UTF-8 unless it is binary. */
        public readonly string $data,
        public readonly bool $binary,
    ) {}
}
