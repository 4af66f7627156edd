<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Foundation\Application;
use Illuminate\Http\{Request as LaravelRequest, UploadedFile};
use Sluice\Http\{Files, Handler, Request, Response};
use Sluice\HttpFoundation\{IncomingRequest, OutgoingResponse, OutputBuffers};
use Symfony\Component\HttpFoundation\File\UploadedFile as SymfonyFile;

/**
 * A Laravel application as the handler of a site or a route; the options should say `classic: true`: then the time zone and other settings of PHP are each request's
 * own, and `dd()` and `exit()` end the request alone.
 */
final class LaravelHandler implements Handler
{
    private readonly ?Files $files;

    /**
     * @param string|null $public the folder whose files are sent as they are, but PHP's, and those that its links of `filesystems.links` lead to (`artisan storage:link`); null:
     *     something else sends them
     * @throws \Sluice\ServerException when that folder cannot be opened
     */
    public function __construct(private readonly Applications $applications, ?string $public = null)
    {
        $this->files = $public === null ? null : new Files($public, linksTo: self::linked($applications->first()));
    }

    /** @return list<string> */
    private static function linked(Application $app): array
    {
        $links = $app->make(Repository::class)->get('filesystems.links');
        return \is_array($links) ? \array_values(\array_filter($links, static fn(mixed $target): bool => \is_string($target) && \is_dir($target))) : [];
    }

    public function handle(Request $request, Response $response): void
    {
        if ($this->files !== null && !self::isPhp($request->path()) && $this->files->send($request, $response)) {
            return;
        }
        $incoming = IncomingRequest::of($request);
        foreach (self::uploadedFiles($incoming->request->files->all()) as $name => $file) {
            $incoming->request->files->set((string) $name, $file);
        }
        $this->applications->lend(static fn(Application $app) => self::answer($app, LaravelRequest::createFromBase($incoming->request), $response));
    }

    private static function answer(Application $app, LaravelRequest $request, Response $response): void
    {
        $events = $app->make(Dispatcher::class);
        $events->dispatch(new Events\RequestReceived($app, $request));
        $kernel = $app->make(Kernel::class);
        $level = \ob_get_level();
        \ob_start();
        $answer = $kernel->handle($request);
        OutgoingResponse::send($answer, $response, OutputBuffers::take($level));
        $events->dispatch(new Events\RequestHandled($app, $request, $answer));
        $kernel->terminate($request, $answer);
        $events->dispatch(new Events\RequestTerminated($app, $request, $answer));
    }

    /**
     * Uploaded files for Laravel. PHP itself has not received these files, so "test" is set: move() then renames them like any other file.
     *
     * @template K of array-key
     * @param array<K, mixed> $files
     * @return array<K, mixed>
     */
    private static function uploadedFiles(array $files): array
    {
        return \array_map(static fn(mixed $file) => match (true) {
            $file instanceof SymfonyFile => UploadedFile::createFromBase($file, true),
            \is_array($file) => self::uploadedFiles($file),
            default => $file,
        }, $files);
    }

    /** Sources are not sent, however their names are written. */
    private static function isPhp(string $path): bool
    {
        return \preg_match('/\.ph(p\d?|tml|ar|ps)(\/|$)/i', \rawurldecode($path)) === 1;
    }
}
