<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Http\{Request, UploadedFile};
use Symfony\Component\HttpFoundation\File\UploadedFile as SymfonyFile;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;

/**
 * A request as Symfony has it, and what has to live as long as it does: files of uploads are removed with the server's objects.
 *
 * @internal
 */
final class IncomingRequest
{
    /** @param array<mixed> $files the server's */
    private function __construct(public readonly SymfonyRequest $request, public readonly array $files) {}

    /** @throws \Sluice\Http\BadRequest for a form that is malformed, which is answered with 400 */
    public static function of(Request $request): self
    {
        $files = $request->files();
        $server = $request->serverParams();
        if ($request->host() !== '') {
            // The host that a trusted proxy was asked for; Symfony reads the field.
            $server['HTTP_HOST'] = $request->host();
        }
        $symfony = new SymfonyRequest(
            $request->queryAll(),
            $request->formAll(),
            ['sluice.request' => $request],
            $request->cookies(),
            self::symfonyFiles($files),
            $server,
            $request->bodyStream(),
        );
        return new self($symfony, $files);
    }

    /**
     * @param array<mixed> $files
     * @return array<mixed>
     */
    private static function symfonyFiles(array $files): array
    {
        return \array_map(static fn(mixed $file) => match (true) {
            // "test": PHP itself has not received it, so move() has to rename it as any other file.
            $file instanceof UploadedFile => new SymfonyFile($file->path(), $file->clientName, $file->clientType, \UPLOAD_ERR_OK, true),
            \is_array($file) => self::symfonyFiles($file),
            default => throw new \LogicException('Request::files() has given ' . \get_debug_type($file)),
        }, $files);
    }
}
