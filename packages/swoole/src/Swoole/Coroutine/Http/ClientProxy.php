<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http;

/** The answer to `request()`. */
class ClientProxy
{
    public function __construct(private readonly Client $client) {}

    public function getStatusCode(): int
    {
        return $this->client->statusCode;
    }

    public function getBody(): string
    {
        return $this->client->body;
    }

    /** @return array<string, mixed> */
    public function getHeaders(): array
    {
        return $this->client->headers ?? [];
    }

    /** @return array<string, string> */
    public function getCookies(): array
    {
        return $this->client->cookies ?? [];
    }
}
