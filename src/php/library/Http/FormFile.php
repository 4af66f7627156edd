<?php

declare(strict_types=1);

namespace Sluice\Http;

/** A file in a form that Client::postForm() sends. */
final class FormFile
{
    private function __construct(
        /** @internal a file to read, or null: $bytes are sent */
        public readonly ?string $path,
        /** @internal */
        public readonly string $bytes,
        /** The file name that the server gets. */
        public readonly string $name,
        /** The media type that the server gets. */
        public readonly string $type,
    ) {
        if (\preg_match('/[\x00-\x1f\x7f]/', $type) || !\str_contains($type, '/')) {
            throw new \ValueError('Sluice\Http\FormFile: $type must be a media type, "' . \addcslashes($type, "\0..\37\"\\\177..\377") . '" given');
        }
    }

    /**
     * A file of the file system. It is read while it is sent.
     *
     * @param null|string $name the file name that the server gets; null: the last part of $path
     * @throws \ValueError when the file cannot be read, or $type is not a media type
     */
    public static function fromPath(string $path, ?string $name = null, string $type = 'application/octet-stream'): self
    {
        if (!\is_file($path) || !\is_readable($path)) {
            throw new \ValueError("Sluice\Http\FormFile::fromPath(): \$path must be a file that can be read, \"$path\" given");
        }
        return new self($path, '', $name ?? \basename($path), $type);
    }

    /**
     * A file with these bytes.
     *
     * @param string $name the file name that the server gets
     * @throws \ValueError when $type is not a media type
     */
    public static function fromString(string $bytes, string $name, string $type = 'application/octet-stream'): self
    {
        return new self(null, $bytes, $name, $type);
    }
}
