<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Limits, Udp, WebSocket};

use function Sluice\EndToEnd\{address, report, server};

// Handlers that wait until the test lets them go, in a worker that has few places for them.

$wait = function (): void {
    while (!file_exists(getenv('GATE'))) {
        Coroutine\sleep(0.01);
        clearstatcache();
    }
};
$server = server(limits: new Limits(coroutines: 200, pooledStacks: 4));
$site = $server->http(address(), function (Request $request, Response $response) use ($wait): void {
    if ($request->path() === '/wait') {
        report('waits', ['of' => 'request']);
        $wait();
    }
    $response->text('done');
});
$site->webSocket('/ws', new class ($wait) implements WebSocket\Handler {
    public function __construct(private Closure $wait)
    {
    }

    public function open(WebSocket\Connection $who, Request $request): void
    {
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void
    {
        if ($data === 'wait') {
            report('waits', ['of' => 'message']);
            ($this->wait)();
        }
        $who->send($data);
    }

    public function close(WebSocket\Connection $who, int $code, string $reason): void
    {
    }
});
$server->udp(address(), new class ($wait) implements Udp\Handler {
    public function __construct(private Closure $wait)
    {
    }

    public function datagram(Udp\Peer $from, string $data): void
    {
        report('waits', ['of' => 'datagram']);
        ($this->wait)();
    }
});
$server->run();
