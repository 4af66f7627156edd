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

    /** @param array<string, mixed> $setting */
    public function __construct(private readonly Events $events, private readonly int $port, array $setting)
    {
        $root = Options::string($setting, 'document_root');
        $index = $setting['http_index_files'] ?? ['index.html'];
        $this->files = Options::bool($setting, 'enable_static_handler') && $root !== '' && \is_dir($root)
            ? new Files($root, index: \is_array($index) ? \array_values(\array_filter($index, \is_string(...))) : ['index.html'])
            : null;
        $locations = $setting['static_handler_locations'] ?? [];
        $this->locations = \is_array($locations) ? \array_values(\array_filter($locations, \is_string(...))) : [];
    }

    public function handle(SluiceRequest $request, SluiceResponse $response): void
    {
        if ($this->files !== null && $this->isStatic($request->path()) && $this->files->send($request, $response)) {
            return;
        }
        if (!$this->sought) {
            $this->callback = $this->events->get('request');
            $this->sought = true;
        }
        if ($this->callback === null) {
            $response->status(404)->end();
            return;
        }
        $answer = Response::over($response, $request);
        ($this->callback)(Request::over($request, $answer->fd, $this->port), $answer);
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
