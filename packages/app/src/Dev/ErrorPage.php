<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\Http\{Request, Response};
use Symfony\Component\ErrorHandler\ErrorRenderer\HtmlErrorRenderer;
use Symfony\Component\ErrorHandler\Exception\FlattenException;

/** An error as the answer to a request, with its trace and the lines of source: HTML for browsers, problem+json or text for other clients. */
final class ErrorPage
{
    private readonly HtmlErrorRenderer $renderer;

    public function __construct(string $folder)
    {
        // Paths are shown from the folder on.
        $this->renderer = new HtmlErrorRenderer(true, 'UTF-8', projectDir: \dirname($folder));
    }

    /** Answers with the error; does nothing when the head of the response has been sent. */
    public function send(\Throwable $error, Request $request, Response $response): void
    {
        $flat = FlattenException::createFromThrowable($error);
        try {
            $response->status(self::status($flat))->header('Cache-Control', 'no-store');
            // Clients that name no type, such as curl, get text.
            match ($request->prefers(['text/plain', 'text/html', 'application/problem+json', 'application/json'])) {
                'text/html' => $response->html($this->html($error)),
                'application/problem+json', 'application/json' => $response->header('Content-Type', 'application/problem+json')->jsonText(self::json($flat)),
                default => $response->text("$error\n"),
            };
        } catch (\Sluice\ServerException) {
            // The response has begun: the log alone tells of the error.
        }
    }

    public function html(\Throwable $error): string
    {
        // Not every application is one of Symfony's: the page goes without its header.
        return (string) \preg_replace('~<header>.*?</header>~s', '', $this->renderer->render($error)->getAsString(), 1);
    }

    private static function status(FlattenException $flat): int
    {
        $status = $flat->getStatusCode();
        return $status >= 400 && $status <= 599 ? $status : 500;
    }

    private static function json(FlattenException $flat): string
    {
        $chain = \array_map(static fn(FlattenException $one) => [
            'class' => $one->getClass(),
            'message' => $one->getMessage(),
            'file' => $one->getFile(),
            'line' => $one->getLine(),
            'trace' => \explode("\n", $one->getTraceAsString()),
        ], [$flat, ...$flat->getAllPrevious()]);
        // FlattenException knows the phrases of statuses with HttpFoundation only.
        $title = self::status($flat) === 500 ? 'Internal Server Error' : $flat->getStatusText();
        $problem = ['type' => 'about:blank', 'title' => $title, 'status' => self::status($flat), 'detail' => $flat->getMessage(), 'exceptions' => $chain];
        return \json_encode($problem, \JSON_THROW_ON_ERROR | \JSON_PRETTY_PRINT | \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE | \JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
    }
}
