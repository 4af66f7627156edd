<?php

declare(strict_types=1);

namespace Sluice\Symfony\WebSocket;

use Sluice\Http\{Request, Site};
use Sluice\Symfony\Kernels;
use Sluice\WebSocket\{Connection, Handler, Handshake, Heartbeat, Options, Origins, PongHandler};

/** Has each event of a path's WebSockets handled by the application's service for it, in whichever kernel is free. */
final class Controller implements PongHandler
{
    /** @param class-string|string $service */
    private function __construct(private readonly Kernels $kernels, private readonly string $service) {}

    /** Has a site accept clients at a path. */
    public static function accept(Site $site, Kernels $kernels, string $service, AsWebSocket $at): void
    {
        $controller = new self($kernels, $service);
        $site->webSocket(
            $at->path,
            $controller,
            new Options(
                protocols: $at->protocols,
                origins: $at->origins === null ? null : new Origins($at->origins),
                heartbeat: $at->heartbeatSeconds > 0 ? new Heartbeat($at->heartbeatSeconds) : null,
            ),
            handshake: $controller->handshake(...),
        );
    }

    public function open(Connection $who, Request $request): void
    {
        $this->use(static fn(Handler $handler) => $handler->open($who, $request));
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $this->use(static fn(Handler $handler) => $handler->message($who, $data, $binary));
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        $this->use(static fn(Handler $handler) => $handler->close($who, $code, $reason));
    }

    public function pong(Connection $who, float $roundTripSeconds, string $data): void
    {
        if (\is_subclass_of($this->service, PongHandler::class)) {
            $this->use(static fn(Handler $handler) => $handler instanceof PongHandler ? $handler->pong($who, $roundTripSeconds, $data) : null);
        }
    }

    private function handshake(Handshake $handshake): void
    {
        if (\is_subclass_of($this->service, DecidesOnHandshakes::class)) {
            $this->use(static fn(Handler $handler) => $handler instanceof DecidesOnHandshakes ? $handler->handshake($handshake) : null);
        }
    }

    /** @param \Closure(Handler): mixed $do */
    private function use(\Closure $do): void
    {
        $this->kernels->useService($this->service, static fn(object $service): mixed => $service instanceof Handler ? $do($service) : null);
    }
}
