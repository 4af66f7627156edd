<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Limits, Tcp, Udp, WebSocket};

use function Sluice\EndToEnd\{address, report, server};

// Handlers of messages that do not end, as their clients want it.

$server = server(limits: new Limits(
    coroutines: (int) (getenv('COROUTINES') ?: 10000),
    pooledStacks: 4,
    stallSeconds: 0.2,
    killSeconds: (float) getenv('KILL'),
));

function act(string $order, callable $send): void
{
    match ($order) {
        'loop' => (function () { for (;;); })(),
        'loop ever' => swallow(function () { for (;;); }),
        'wait' => wait(),
        'wait ever' => swallow(wait(...)),
        'catch' => caught(wait(...)) && $send('caught'),
        'wait long' => usleep(1_500_000) ?? $send('waited'),
        'stream' => stream($send),
        'children' => Coroutine\all(fn () => stream($send)),
        'timeout' => Coroutine\timeout(60.0, fn () => stream($send)),
        '' => null,
        default => $send($order),
    };
}

function wait(): void
{
    report('waits');
    try {
        Coroutine\sleep(600.0);
    } finally {
        report('cancelled');
    }
}

function caught(callable $never): bool
{
    try {
        $never();
    } catch (Throwable) {
        return true;
    }
    return false;
}

function swallow(callable $never): void
{
    while (true) {
        caught($never);
        report('swallowed');
    }
}

function stream(callable $send): void
{
    for ($number = 0; $number < 30; ++$number) {
        $send("part $number");
        usleep(50_000);
    }
}

/** What handlers of openings and ends do. */
final class Orders
{
    public static string $inOpen = '';
    public static string $inClose = '';
}

$site = $server->http(address(), function (Request $request, Response $response): void {
    Orders::$inOpen = $request->query('in_open', '');
    Orders::$inClose = $request->query('in_close', '');
    $response->text((string) getmypid());
});
$site->webSocket('/ws', new class implements WebSocket\Handler {
    public function open(WebSocket\Connection $who, Request $request): void
    {
        act(Orders::$inOpen, $who->send(...));
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void
    {
        act($data, $who->send(...));
    }

    public function close(WebSocket\Connection $who, int $code, string $reason): void
    {
        act(Orders::$inClose, $who->send(...));
        report('closed');
    }
});
$server->tcp(address(1), Tcp\Framing::line("\n"), new class implements Tcp\Handler {
    public function open(Tcp\Connection $who): void
    {
        act(Orders::$inOpen, fn (string $text) => $who->send("$text\n"));
    }

    public function message(Tcp\Connection $who, string $data): void
    {
        act($data, fn (string $text) => $who->send("$text\n"));
    }

    public function close(Tcp\Connection $who): void
    {
        act(Orders::$inClose, fn (string $text) => $who->send("$text\n"));
        report('closed');
    }
});
// UDP has ports of its own.
$server->udp(address(1), fn (Udp\Peer $from, string $datagram) => act($datagram, $from->send(...)));
$server->run();
