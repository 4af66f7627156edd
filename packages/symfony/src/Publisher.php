<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Server;

/**
 * Sends messages to the clients that have subscribed to a topic, whichever worker has accepted them: WebSockets (`Sluice\WebSocket\Connection::subscribe()`) and
 * streams of events (`Sluice\HttpFoundation\TopicResponse`).
 */
final class Publisher
{
    private ?Server $server = null;

    /** @internal */
    public function publishBy(Server $server): void
    {
        $this->server = $server;
    }

    /**
     * @param string $topic 1 to 255 bytes
     * @param mixed $data a string is sent as it is, anything else as JSON
     * @throws \LogicException where there is no server: in a command of bin/console, for one
     * @throws \JsonException for data that JSON does not know
     * @throws \ValueError for a topic of another length, and for a string that is not UTF-8
     */
    public function publish(string $topic, mixed $data): void
    {
        $this->server()->publish($topic, \is_string($data) ? $data : \json_encode($data, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE));
    }

    /**
     * How many clients a message to the topic would reach.
     *
     * @throws \LogicException where there is no server
     */
    public function subscribers(string $topic): int
    {
        return $this->server()->subscribers($topic);
    }

    private function server(): Server
    {
        return $this->server
            ?? throw new \LogicException('There is no server here to publish by: a script of its own calls SymfonyHandler::serve(), and a command is another process');
    }
}
