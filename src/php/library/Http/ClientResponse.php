<?php

declare(strict_types=1);

namespace Sluice\Http;

/** A response to a request of the HTTP Client. Its body is received as it is read. */
final class ClientResponse
{
    private bool $isBegun = false;
    private ?string $body = null;

    /**
     * @internal
     * @param array<string, list<string>> $headers
     */
    public function __construct(
        /** The status, 200 to 999. */
        public readonly int $status,
        /** The reason phrase; often ''. */
        public readonly string $reason,
        private readonly array $headers,
        private readonly ClientTransfer $transfer,
    ) {}

    /** Whether the status is 200 to 299. */
    public function isSuccess(): bool
    {
        return $this->status >= 200 && $this->status < 300;
    }

    /** All values of a header field, its name in any case, joined by ", "; null when there is none. */
    public function header(string $name): ?string
    {
        $values = $this->headers[\strtolower($name)] ?? null;
        return $values === null ? null : \implode(', ', $values);
    }

    /**
     * The values of all header fields.
     *
     * @return array<string, list<string>> by name in lower case
     */
    public function headers(): array
    {
        return $this->headers;
    }

    /**
     * The whole body; it waits until the body has arrived. A further call returns it again.
     *
     * @throws ClientException when the body breaks off, is too long, or takes too long
     * @throws \LogicException after pieces() or close()
     * @throws \Throwable what an iterable body of the request throws
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
     * The whole body decoded as JSON; objects become arrays.
     *
     * @throws ClientException when the body breaks off, is too long, or takes too long
     * @throws \JsonException when the body is not JSON
     * @throws \LogicException after pieces() or close()
     * @throws \Throwable what an iterable body of the request throws
     */
    public function json(): mixed
    {
        return \json_decode($this->body(), true, flags: \JSON_THROW_ON_ERROR);
    }

    /**
     * The body, piece by piece as it arrives. To be called once.
     *
     * @return \Generator<int, string> it throws a ClientException when the body breaks off, is too long, or takes too long
     * @throws \LogicException after body(), json(), pieces() or close()
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

    /** Drops the rest of the body, and closes the connection unless all of the body has arrived. The destructor does this too. */
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
