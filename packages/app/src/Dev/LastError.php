<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\Http\{Request, Response, Site};
use Sluice\{Server, Worker};

/**
 * The page of the fatal error that has ended a request, or its worker. The worker writes it; the server's own page for status 500 or 502 asks for it, for no code of the
 * request is left to answer with it.
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
            @\unlink($this->file);
            $response->header('Cache-Control', 'no-store');
            $html === false ? $response->status(404)->text('') : $response->html($html);
        });
    }

    /** Keeps an error that has ended a request. */
    public function keep(\Throwable $error): void
    {
        // Renamed, so that nobody reads half of it.
        \file_put_contents("$this->file.new", $this->page->html($error));
        \rename("$this->file.new", $this->file);
    }

    /** In a shutdown function: keeps the error that ends this worker. */
    public function keepLast(): void
    {
        $error = Worker::current() === null ? null : FatalError::last();
        if ($error !== null) {
            $this->keep($error);
        }
    }
}
