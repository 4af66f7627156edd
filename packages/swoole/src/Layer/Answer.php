<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\WebSocket\Frame;

/** What `Swoole\Http\Response` is an answer of: a request to the server, a handshake of a WebSocket, a request on a socket of a coroutine. */
interface Answer
{
    public function isEnded(): bool;

    public function status(int $status, string $reason): bool;

    /** @param list<string> $values */
    public function header(string $name, array $values): bool;

    public function cookie(string $field): bool;

    public function trailer(string $name, string $value): bool;

    public function write(string $data): bool;

    public function end(string $data): bool;

    public function sendFile(string $path, int $offset, int $length): bool;

    public function upgrade(): bool;

    public function push(Frame $frame): bool;

    public function receive(float $timeout): Frame|false|string;

    public function close(): bool;

    public function disconnect(int $code, string $reason): bool;

    /** Nobody ends it any more. */
    public function abandon(): void;
}
