<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Http\Files;
use Sluice\Http\Handler;
use Sluice\Http\Request as SluiceRequest;
use Sluice\Http\Response as SluiceResponse;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Requests as onRequest. */
final class HttpBridge implements Handler
{
    private readonly ?Files $files;
    /** @var list<string> */
    private readonly array $locations;
    /** @var callable|null */
    private $callback = null;
    private bool $sought = false;
    /** Bytes of the longest body that end() takes; 0: any. */
    private readonly int $longest;
    /** The most requests of the server at a time; null: any. */
    private readonly ?Concurrency $concurrency;
    private readonly bool $inCoroutine;
    /** @var list<string> properties of requests that are not to be filled */
    private readonly array $unparsed;

    /** @param array<string, mixed> $setting */
    public function __construct(private readonly Events $events, private readonly int $port, array $setting)
    {
        $root = Options::string($setting, 'document_root');
        $index = $setting['http_index_files'] ?? ['index.html'];
        $this->files = Options::bool($setting, 'enable_static_handler') && $root !== '' && \is_dir($root)
            ? new Files($root, index: \is_array($index) ? \array_values(\array_filter($index, \is_string(...))) : ['index.html'])
            : null;
        $this->longest = Options::size($setting, 'output_buffer_size', Options::size($setting, 'buffer_output_size'));
        $most = Options::int($setting, 'max_concurrency');
        $this->concurrency = $most > 0 ? new Concurrency($most) : null;
        $unparsed = [];
        foreach (['http_parse_post' => 'post', 'http_parse_files' => 'files', 'http_parse_cookie' => 'cookie'] as $option => $property) {
            if (!Options::bool($setting, $option, true)) {
                $unparsed[] = $property;
            }
        }
        $this->unparsed = $unparsed;
        $this->inCoroutine = Options::bool($setting, 'enable_coroutine', true);
        $locations = $setting['static_handler_locations'] ?? [];
        $this->locations = \is_array($locations) ? \array_values(\array_filter($locations, \is_string(...))) : [];
    }

    public function handle(SluiceRequest $request, SluiceResponse $response): void
    {
        if ($this->files !== null && $this->isStatic($request->path())) {
            if ($this->files->send($request, $response)) {
                return;
            }
            if ($this->locations !== []) {
                $response->status(404)->end();
                return;
            }
        }
        if (!$this->sought) {
            $this->callback = $this->events->get('request');
            $this->sought = true;
        }
        if ($this->callback === null) {
            $response->status(404)->end();
            return;
        }
        $answer = Response::over($response, $request, $this->longest);
        if (!$this->inCoroutine) {
            Coroutines::hide();
        }
        if ($this->concurrency === null) {
            Callback::call($this->callback, [Request::over($request, $answer->fd, $this->port, $this->unparsed), $answer]);
        } elseif (!$this->concurrency->enter()) {
            $response->status(503)->end();
        } else {
            try {
                Callback::call($this->callback, [Request::over($request, $answer->fd, $this->port, $this->unparsed), $answer]);
            } finally {
                $this->concurrency->leave();
            }
        }
    }

    private function isStatic(string $path): bool
    {
        if ($this->locations === []) {
            return true;
        }
        foreach ($this->locations as $location) {
            if (\str_starts_with($path, $location)) {
                return true;
            }
        }
        return false;
    }
}
