<?php

declare(strict_types=1);

namespace Sluice\HttpFoundation;

use Sluice\Http\{Request, UploadedFile};
use Symfony\Component\HttpFoundation\File\UploadedFile as SymfonyFile;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;

/**
 * A request of the server as a Symfony request. Keep this object for as long as the request is used: the temporary files of uploads are
 * removed with it.
 */
final class IncomingRequest
{
    /** @param array<mixed> $files `Sluice\Http\UploadedFile` objects of the server, or arrays of them */
    private function __construct(public readonly SymfonyRequest $request, public readonly array $files) {}

    /** @throws \Sluice\Http\BadRequest when the form is malformed; it is answered with 400 */
    public static function of(Request $request): self
    {
        $files = $request->files();
        $server = $request->serverParams();
        if ($request->host() !== '') {
            // Symfony reads the Host field; with a trusted proxy, host() is what the client asked for.
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
            // The test mode, for PHP itself has not received the file: move() then renames it like any other file.
            $file instanceof UploadedFile => new SymfonyFile($file->path(), $file->clientName, $file->clientType, \UPLOAD_ERR_OK, true),
            \is_array($file) => self::symfonyFiles($file),
            default => throw new \LogicException('Request::files() has given ' . \get_debug_type($file)),
        }, $files);
    }
}
