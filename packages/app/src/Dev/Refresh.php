<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\Http\{Request, Response, Site};
use Sluice\{Server, WebSocket};

/**
 * Refreshes browsers after a reload: each page gets a script that opens a WebSocket. A page knows which boot has made it, and loads itself again when another boot
 * serves.
 */
final class Refresh implements WebSocket\Handler
{
    public const PATH = '/_sluice/refresh';

    private function __construct(private readonly string $boot) {}

    /** For this boot of the server. */
    public static function ofThisBoot(): self
    {
        return new self(\bin2hex(\random_bytes(8)));
    }

    /** What stands at the end of each page. */
    public function script(): string
    {
        return "<script data-boot=\"$this->boot\">" . \trim((string) \file_get_contents(\dirname(__DIR__, 2) . '/templates/refresh.js')) . '</script>';
    }

    public function addTo(Server $server, Site $site): void
    {
        $site->webSocket(self::PATH, $this);
        $site->get(self::PATH, fn(Request $request, Response $response) => $response->header('Cache-Control', 'no-store')->text($this->boot));
        $server->onWorkerStart(fn() => $server->publish(self::PATH, $this->boot));
    }

    public function open(WebSocket\Connection $who, Request $request): void
    {
        $who->subscribe(self::PATH);
        $who->send($this->boot);
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void {}

    public function close(WebSocket\Connection $who, int $code, string $reason): void {}
}
