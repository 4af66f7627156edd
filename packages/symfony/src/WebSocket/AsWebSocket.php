<?php

declare(strict_types=1);

namespace Sluice\Symfony\WebSocket;

/**
 * Has a service that implements Sluice\WebSocket\Handler handle the WebSockets of a path:
 *
 *     #[AsWebSocket('/chat/{room}')]
 *     final class Chat implements Handler
 *
 * Each event has a kernel of its worker's pool for itself, and thus another object than the event before: what belongs to a connection is attached to it
 * (`Connection::attach()`), not kept in properties.
 */
#[\Attribute(\Attribute::TARGET_CLASS | \Attribute::IS_REPEATABLE)]
final class AsWebSocket
{
    /**
     * @param string $path a pattern such as `/chat/{room}` or `/files/{path...}`; it comes before the application's routes
     * @param list<string>|null $origins whose pages may connect besides the site's own; null: all
     * @param list<string> $protocols sub-protocols, the preferred first
     * @param float $heartbeatSeconds from one ping to the next, 0.001 to 1,000,000; 0: none
     */
    public function __construct(
        public readonly string $path,
        public readonly ?array $origins = [],
        public readonly array $protocols = [],
        public readonly float $heartbeatSeconds = 30.0,
    ) {}
}
