<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Http\Request as SluiceRequest;
use Sluice\WebSocket\Connection;
use Sluice\WebSocket\Handshake;
use Sluice\WebSocket\PongHandler;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\CloseFrame;
use Swoole\WebSocket\Frame;

/** WebSockets as onHandshake, onOpen, onMessage and onClose. */
final class WebSocketBridge implements PongHandler
{
    private readonly bool $tellsClose;
    private readonly bool $tellsPong;

    /** @param array<string, mixed> $setting */
    public function __construct(private readonly Running $running, private readonly Events $events, private readonly int $port, array $setting)
    {
        $this->tellsClose = Options::bool($setting, 'open_websocket_close_frame');
        $this->tellsPong = Options::bool($setting, 'open_websocket_pong_frame');
    }

    public function handshake(Handshake $handshake): void
    {
        if ($this->events->has('handshake')) {
            $answer = new HandshakeAnswer($handshake);
            $response = Response::with($answer, 0);
            $this->events->call('handshake', Request::over($handshake->request, 0, $this->port), $response);
            $answer->abandon();
        } elseif ($this->events->has('beforehandshakeresponse')) {
            // It may add header fields to an answer that accepts.
            $response = Response::with(new HandshakeAnswer($handshake, 101), 0);
            $this->events->call('beforehandshakeresponse', $this->running->server, Request::over($handshake->request, 0, $this->port), $response);
        }
    }

    public function open(Connection $who, SluiceRequest $request): void
    {
        $this->running->connections->opened($who->id, Connections::WEBSOCKET, $this->port, $who->peer());
        $this->running->countAccepted();
        $this->events->start('connect', [$this->running->server, $who->id, 0]);
        $this->events->start('open', [$this->running->server, Request::over($request, $who->id, $this->port)]);
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $this->tell(Frame::of($data, $binary ? \WEBSOCKET_OPCODE_BINARY : \WEBSOCKET_OPCODE_TEXT, fd: $who->id));
    }

    public function pong(Connection $who, float $roundTripSeconds, string $data): void
    {
        if ($this->tellsPong) {
            $this->tell(Frame::of($data, \WEBSOCKET_OPCODE_PONG, fd: $who->id));
        }
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        if ($this->tellsClose && $code !== 1006) {
            $frame = new CloseFrame();
            $frame->fd = $who->id;
            $frame->code = $code;
            $frame->reason = $frame->data = $reason;
            $frame->finish = true;
            $this->tell($frame);
        }
        $this->events->start('close', [$this->running->server, $who->id, 0]);
        $this->running->connections->closed($who->id);
        if ($this->running->server instanceof \Swoole\WebSocket\Server) {
            $this->running->server->forgetFragments($who->id);
        }
    }

    private function tell(Frame $frame): void
    {
        $this->events->start('message', [$this->running->server, $frame]);
    }
}
