<?php

declare(strict_types=1);

namespace Sluice\Http;

/** What a server has answered. Of its body only so much has been received as was asked for. */
final class ClientResponse
{
    private bool $isBegun = false;
    private ?string $body = null;

    /**
     * @internal
     * @param array<string, list<string>> $headers
     */
    public function __construct(
        /** 200 to 999 */
        public readonly int $status,
        public readonly string $reason,
        private readonly array $headers,
        private readonly ClientTransfer $transfer,
    ) {}

    /** Whether the status is 200 to 299. */
    public function isSuccess(): bool
    {
        return $this->status >= 200 && $this->status < 300;
    }

    /** All values of a header field, joined by ", "; null when there is none. */
    public function header(string $name): ?string
    {
        $values = $this->headers[\strtolower($name)] ?? null;
        return $values === null ? null : \implode(', ', $values);
    }

    /** @return array<string, list<string>> by name, in lower case */
    public function headers(): array
    {
        return $this->headers;
    }

    /**
     * All of the body.
     *
     * @throws ClientException
     * @throws \LogicException when pieces() has given part of it away already
     */
    public function body(): string
    {
        if ($this->body === null) {
            $this->begin();
            $this->body = $this->transfer->rest();
        }
        return $this->body;
    }

    /**
     * The body as JSON, objects as arrays.
     *
     * @throws ClientException
     * @throws \JsonException
     */
    public function json(): mixed
    {
        return \json_decode($this->body(), true, flags: \JSON_THROW_ON_ERROR);
    }

    /**
     * The body, piece by piece as it arrives; once.
     *
     * @return \Generator<int, string>
     * @throws ClientException
     * @throws \LogicException when the body was read already
     */
    public function pieces(): \Generator
    {
        $this->begin();
        return (function (): \Generator {
            while (($piece = $this->transfer->nextPiece()) !== '') {
                yield $piece;
            }
        })();
    }

    /** Forgets the rest of the body; the connection is closed unless it is there already. Without a call when this is forgotten. */
    public function close(): void
    {
        $this->isBegun = true;
        $this->transfer->breakOff();
    }

    private function __clone() {}

    private function begin(): void
    {
        if ($this->isBegun) {
            throw new \LogicException('The body of this response was read, or given up, already');
        }
        $this->isBegun = true;
    }
}
