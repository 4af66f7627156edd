<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Nyholm\Psr7\Stream;
use Psr\Http\Message\{StreamInterface, UploadedFileInterface};
use Sluice\Http\UploadedFile as SluiceFile;

/** A file of a form as a PSR-7 uploaded file. Its bytes stay in the request's body, in memory or in a temporary file, until they are read or moved. */
final class UploadedFile implements UploadedFileInterface
{
    private ?StreamInterface $stream = null;
    private bool $isMoved = false;

    public function __construct(private readonly SluiceFile $file) {}

    public function getStream(): StreamInterface
    {
        $this->requireThere();
        return $this->stream ??= Stream::create($this->file->stream());
    }

    /**
     * Writes the file to $targetPath, replacing an existing one.
     *
     * @throws \InvalidArgumentException for an empty path
     * @throws \RuntimeException when the file cannot be written, or was moved already
     */
    public function moveTo(string $targetPath): void
    {
        $this->requireThere();
        if ($targetPath === '') {
            throw new \InvalidArgumentException('The path to move an uploaded file to must not be empty');
        }
        $this->file->moveTo($targetPath);
        $this->stream?->close();
        $this->isMoved = true;
    }

    public function getSize(): int
    {
        return $this->file->size;
    }

    public function getError(): int
    {
        return \UPLOAD_ERR_OK;
    }

    public function getClientFilename(): string
    {
        return $this->file->clientName;
    }

    public function getClientMediaType(): string
    {
        return $this->file->clientType;
    }

    private function requireThere(): void
    {
        if ($this->isMoved) {
            throw new \RuntimeException("The uploaded file \"{$this->file->clientName}\" was moved already");
        }
    }
}
