<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Where the bytes of a response go. */
interface Sink
{
    public function sendAll(string $data): int|false;

    public function close(): bool;
}
