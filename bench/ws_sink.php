<?php

declare(strict_types=1);

// At /sink counts messages and bytes, and reports them on request; at /echo sends messages back: php ws_sink.php <address> process|base

use Sluice\{Limits, Mode, Server, Worker};
use Sluice\Http\{Request, Response};
use Sluice\WebSocket\{Connection, Handler};

$mode = Mode::from($argv[2]);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);
$site = $server->http($argv[1], fn (Request $request, Response $response) => $response->status(404)->end());

$site->webSocket('/sink', new class implements Handler {
    /** @var array<int, array{int, int}> messages and bytes of each connection */
    private array $received = [];

    public function open(Connection $who, Request $request): void
    {
        $this->received[$who->id] = [0, 0];
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        if (!$binary) {
            [$messages, $bytes] = $this->received[$who->id];
            $who->send(json_encode(['messages' => $messages, 'bytes' => $bytes, 'worker' => Worker::current()->pid]));
            return;
        }
        $received = &$this->received[$who->id];
        $received[0]++;
        $received[1] += strlen($data);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        unset($this->received[$who->id]);
    }
});

$site->webSocket('/echo', new class implements Handler {
    public function open(Connection $who, Request $request): void {}

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send($data, $binary);
    }

    public function close(Connection $who, int $code, string $reason): void {}
});

$server->run();
