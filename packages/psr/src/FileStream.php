<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Nyholm\Psr7\Stream;
use Psr\Http\Message\StreamInterface;

/**
 * A file as the body of a response. ResponseSender sends it by `Response::sendFile()`: from the kernel to the client, with ranges and
 * conditional requests answered. When something has read from the stream before, it is sent like any other body.
 */
final class FileStream implements StreamInterface
{
    private ?StreamInterface $stream = null;

    /** @throws \RuntimeException when $path is not a readable file */
    public function __construct(public readonly string $path)
    {
        if (!\is_file($path) || !\is_readable($path)) {
            throw new \RuntimeException("\"$path\" is not a readable file");
        }
    }

    /** Whether something has read from the stream. */
    public function isRead(): bool
    {
        return $this->stream !== null;
    }

    public function __toString(): string
    {
        return (string) $this->stream();
    }

    public function close(): void
    {
        $this->stream()->close();
    }

    public function detach()
    {
        return $this->stream()->detach();
    }

    public function getSize(): ?int
    {
        return $this->stream === null ? \filesize($this->path) ?: 0 : $this->stream->getSize();
    }

    public function tell(): int
    {
        return $this->stream()->tell();
    }

    public function eof(): bool
    {
        return $this->stream()->eof();
    }

    public function isSeekable(): bool
    {
        return $this->stream === null || $this->stream->isSeekable();
    }

    public function seek(int $offset, int $whence = \SEEK_SET): void
    {
        $this->stream()->seek($offset, $whence);
    }

    public function rewind(): void
    {
        $this->stream()->rewind();
    }

    public function isWritable(): bool
    {
        return false;
    }

    public function write(string $string): int
    {
        throw new \RuntimeException("\"$this->path\" is open for reading only");
    }

    public function isReadable(): bool
    {
        return $this->stream === null || $this->stream->isReadable();
    }

    public function read(int $length): string
    {
        return $this->stream()->read($length);
    }

    public function getContents(): string
    {
        return $this->stream()->getContents();
    }

    public function getMetadata(?string $key = null): mixed
    {
        return $this->stream()->getMetadata($key);
    }

    private function stream(): StreamInterface
    {
        if ($this->stream === null) {
            $file = @\fopen($this->path, 'rb') ?: throw new \RuntimeException("\"$this->path\" cannot be opened");
            $this->stream = Stream::create($file);
        }
        return $this->stream;
    }
}
