<?php

declare(strict_types=1);

namespace Sluice\HttpFoundation;

use Sluice\Http\Response as ServerResponse;
use Symfony\Component\HttpFoundation\{Response, ServerEvent};

/**
 * A stream of events for a browser's EventSource: first those given here, then each text that is published to one of the topics. The server goes on with it when the
 * controller has returned; see `Sluice\Http\EventStream::subscribe()`.
 */
final class TopicResponse extends Response
{
    /**
     * @param non-empty-list<string> $topics of 1 to 255 bytes each
     * @param iterable<ServerEvent|string> $first (ServerEvent: Symfony 7.3 or newer) what the client is to know before: the present state, or what it has missed since its `Last-Event-ID`
     * @param array<string, string|list<string>> $headers
     */
    public function __construct(private readonly array $topics, private readonly iterable $first = [], array $headers = [])
    {
        parent::__construct('', 200, $headers + ['Content-Type' => 'text/event-stream', 'Cache-Control' => 'no-cache']);
    }

    /**
     * @internal
     * @param ServerResponse $response whose fields are set already
     * @throws \ValueError for a topic of another length
     */
    public function follow(ServerResponse $response): void
    {
        $events = $response->withoutCompression()->events();
        foreach ($this->first as $event) {
            if (\is_string($event)) {
                $events->send($event);
                continue;
            }
            /** @var string|iterable<string> $data */
            $data = $event->getData();
            $events->send(\is_string($data) ? $data : \implode("\n", [...$data]), $event->getType() ?? '', $event->getId(), $event->getRetry());
        }
        $events->subscribe(...$this->topics);
    }
}
