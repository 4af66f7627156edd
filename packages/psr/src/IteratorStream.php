<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Message\StreamInterface;

/**
 * A body of pieces that are made while it is sent. Each piece is sent to the client at once, so a response of any length takes little
 * memory, and an iterator of server-sent events is a stream of events.
 */
final class IteratorStream implements StreamInterface
{
    /** @var \Iterator<mixed, string>|null null: closed */
    private ?\Iterator $pieces;
    private bool $isBegun = false;
    private string $rest = '';
    private int $position = 0;

    /** @param iterable<string> $pieces */
    public function __construct(iterable $pieces)
    {
        $this->pieces = match (true) {
            $pieces instanceof \Iterator => $pieces,
            default => (static fn(): \Generator => yield from $pieces)(),
        };
    }

    public function __toString(): string
    {
        return $this->getContents();
    }

    public function close(): void
    {
        $this->pieces = null;
        $this->rest = '';
    }

    public function detach()
    {
        $this->close();
        return null;
    }

    public function getSize(): ?int
    {
        return null;
    }

    public function tell(): int
    {
        return $this->position;
    }

    public function eof(): bool
    {
        return $this->rest === '' && !$this->fill();
    }

    public function isSeekable(): bool
    {
        return false;
    }

    public function seek(int $offset, int $whence = \SEEK_SET): void
    {
        throw new \RuntimeException('A stream of pieces cannot seek');
    }

    public function rewind(): void
    {
        throw new \RuntimeException('A stream of pieces cannot be rewound');
    }

    public function isWritable(): bool
    {
        return false;
    }

    public function write(string $string): int
    {
        throw new \RuntimeException('A stream of pieces cannot be written to');
    }

    public function isReadable(): bool
    {
        return $this->pieces !== null;
    }

    /** Reads at most the rest of the present piece: it does not wait for the next one. */
    public function read(int $length): string
    {
        if ($length < 1) {
            throw new \RuntimeException("The length to read must be at least 1, $length given");
        }
        if ($this->rest === '' && !$this->fill()) {
            return '';
        }
        $read = \substr($this->rest, 0, $length);
        $this->rest = \substr($this->rest, $length);
        $this->position += \strlen($read);
        return $read;
    }

    public function getContents(): string
    {
        $contents = '';
        while (!$this->eof()) {
            $contents .= $this->read(\PHP_INT_MAX);
        }
        return $contents;
    }

    public function getMetadata(?string $key = null): mixed
    {
        return $key === null ? [] : null;
    }

    /** Takes the next piece that is not empty; false: there is none. */
    private function fill(): bool
    {
        while ($this->pieces !== null) {
            if ($this->isBegun) {
                $this->pieces->next();
            } else {
                $this->pieces->rewind();
                $this->isBegun = true;
            }
            if (!$this->pieces->valid()) {
                $this->pieces = null;
                return false;
            }
            $this->rest = $this->pieces->current();
            if ($this->rest !== '') {
                return true;
            }
        }
        return false;
    }
}
