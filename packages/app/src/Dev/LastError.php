<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\Http\{Request, Response, Site};
use Sluice\{Server, Worker};

/**
 * The page of the fatal error that a worker has died of. The worker writes it as it dies; the server's own page for status 502 asks for it, for nothing else is left to
 * answer the request.
 */
final class LastError
{
    public const PATH = '/_sluice/error';

    private readonly string $file;

    public function __construct(private readonly ErrorPage $page, string $pidFile)
    {
        $this->file = \sys_get_temp_dir() . '/sluice-error-' . \hash('xxh64', $pidFile) . '-' . \posix_geteuid() . '.html';
    }

    public function addTo(Server $server, Site $site): void
    {
        @\unlink($this->file);
        $site->get(self::PATH, function (Request $request, Response $response): void {
            $html = @\file_get_contents($this->file);
            $response->header('Cache-Control', 'no-store');
            $html === false ? $response->status(404)->text('') : $response->html($html);
        });
    }

    /** In a shutdown function: keeps the error that ends this worker. */
    public function keep(): void
    {
        $error = Worker::current() === null ? null : FatalError::last();
        if ($error !== null) {
            \file_put_contents($this->file, $this->page->html($error));
        }
    }
}
