<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\Coroutine\CancelledError;
use Sluice\Http\{BadRequest, Handler, Request, Response};

/** The application's handler with a page for its errors, with HTML files as pages that can be refreshed, and with no file that a browser keeps unasked. */
final class DevHandler implements Handler
{
    private readonly ?string $public;

    public function __construct(private readonly Handler|\Closure $handler, private readonly ErrorPage $page, ?string $public)
    {
        $real = $public === null ? false : \realpath($public);
        $this->public = $real === false ? null : $real;
    }

    public function handle(Request $request, Response $response): void
    {
        $file = $this->publicFile($request);
        if ($file !== null) {
            // Without it a browser guesses for how long a file stays as it is, and a refresh shows the old one.
            $response->header('Cache-Control', 'no-cache');
            if (\preg_match('/\.html?$/', $file) === 1) {
                $response->html((string) \file_get_contents($file));
                return;
            }
        }
        try {
            $this->handler instanceof Handler ? $this->handler->handle($request, $response) : ($this->handler)($request, $response);
        } catch (CancelledError | BadRequest $error) {
            throw $error;
        } catch (\Throwable $error) {
            Trace::shorten($error);
            $this->page->send($error, $request, $response);
            // The log gets it, too.
            throw $error;
        }
    }

    private function publicFile(Request $request): ?string
    {
        if ($this->public === null || !\in_array($request->method(), ['GET', 'HEAD'], true)) {
            return null;
        }
        $path = \rawurldecode($request->path());
        if (\str_contains($path, "\0") || \str_contains($path, '/.')) {
            return null;
        }
        $file = \realpath($this->public . $path . (\str_ends_with($path, '/') ? 'index.html' : ''));
        return $file !== false && \str_starts_with($file, "$this->public/") && \preg_match('/\.ph[^\/]*$/i', $file) === 0 && \is_file($file) ? $file : null;
    }
}
