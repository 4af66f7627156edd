<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\Http\{Request, Response, Site};
use Sluice\{Coroutine, Server, WebSocket, Worker};

/**
 * Refreshes browsers after a reload: each page gets a script that opens a WebSocket. A page knows which boot has made it, and loads itself again when another boot
 * serves.
 */
final class Refresh implements WebSocket\Handler
{
    public const PATH = '/_sluice/refresh';
    /** A worker of an earlier boot is to end: whoever it has told of its boot had better ask who serves now. */
    private const ASK = '';

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
        $server->onWorkerStart(function () use ($server): void {
            $server->publish(self::PATH, $this->boot);
            // A page that connects after that, but before this boot has taken over, is told of the old one.
            Coroutine\spawn(function () use ($server): void {
                Worker::waitForEnd();
                $server->publish(self::PATH, self::ASK);
            });
        });
    }

    public function open(WebSocket\Connection $who, Request $request): void
    {
        $who->subscribe(self::PATH);
        $who->send(Worker::isStopping() ? self::ASK : $this->boot);
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void {}

    public function close(WebSocket\Connection $who, int $code, string $reason): void {}
}
