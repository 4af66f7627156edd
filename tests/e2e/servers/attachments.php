<?php

declare(strict_types=1);

// Ports: HTTP with a WebSocket at /ws, to which the handshake attaches what its query says; TCP lines. Both do what a message says,
// and any worker tells what is attached to a connection, /data?id=, and who has subscribed to "room": /list?limit=.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, Server, Tcp, Worker};
use Sluice\WebSocket\{Connection, Handler, Handshake};

use function Sluice\EndToEnd\{address, report, server, stats};

$server = server(limits: new Limits(attachedBytes: 5000, attachedTotalBytes: (int) getenv('ATTACHED_TOTAL') ?: 1 << 20));

/** @param Connection|Tcp\Connection $who */
function act(object $who, string $data): string
{
    [$do, $rest] = explode(' ', $data, 2) + [1 => ''];
    try {
        $done = match ($do) {
            'data' => $who->data(),
            'enter' => $who->subscribe($rest)->name,
            'attach' => [$who->attach($rest)->name, $who->data()],
            'long' => [$who->attach(str_repeat('x', (int) $rest))->name, strlen($who->data())],
            'gone' => $who::fromId(1 << 40)->attach($rest)->name,
        };
    } catch (Throwable $error) {
        $done = $error::class . ': ' . $error->getMessage();
    }
    return json_encode(['pid' => getmypid(), 'generation' => Worker::current()->generation, 'did' => $done]);
}

/** All pages of a list. */
function list_all(Server $server, Request $request): array
{
    $limit = (int) $request->query('limit', '1000');
    $all = [];
    do {
        $page = $server->listSubscribers('room', $limit, array_key_last($all) ?? 0);
        count($page) <= $limit || throw new Error('a page is longer than its limit');
        $all += $page;
    } while ($page !== []);
    return $all;
}

function attempt(callable $what): string
{
    try {
        $what();
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    }
    return 'fine';
}

$site = $server->http(address(0), function (Request $request, Response $response) use ($server): void {
    $response->json(match ($request->path()) {
        '/data' => ['pid' => getmypid(), 'data' => Connection::fromId((int) $request->query('id'))->data()],
        '/stats' => stats($server),
        '/list' => array_map(null, array_keys($list = list_all($server, $request)), $list),
        '/bad' => array_map(attempt(...), [
            fn () => $server->listSubscribers(''),
            fn () => $server->listSubscribers('room', 0),
            fn () => $server->listSubscribers('room', 10_001),
            fn () => $server->listSubscribers('room', after: -1),
        ]),
        '/count' => $server->subscribers('room', 30.0),
        '/hold' => (function (): string {
            report('holds', ['pid' => getmypid()]);
            // The loop does not suspend, so in base mode this worker answers nobody.
            while (!is_file(getenv('LET_GO'))) {
                clearstatcache();
            }
            return 'let go';
        })(),
    });
});
$site->webSocket('/ws', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->send(json_encode(['id' => $who->id, 'data' => $who->data()]));
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send(act($who, $data));
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('closed', ['id' => $who->id, 'data' => $who->data()]);
    }
}, handshake: function (Handshake $handshake): void {
    $handshake->attach('what nobody reads')->attach($handshake->request->query('data', ''));
    if ($handshake->request->query('refuse') !== null) {
        $handshake->refuse();
        try {
            $handshake->attach('too late');
        } catch (Sluice\ServerException $error) {
            report('late', ['said' => $error->getMessage()]);
        }
    }
});
$server->tcp(address(1), Tcp\Framing::line(), new class implements Tcp\Handler {
    public function open(Tcp\Connection $who): void
    {
        $who->attach('from ' . $who->peer());
    }

    public function message(Tcp\Connection $who, string $data): void
    {
        $who->send(act($who, $data) . "\n");
    }

    public function close(Tcp\Connection $who): void
    {
        report('tcp closed', ['data' => $who->data()]);
    }
});

$server->run();
