<?php

declare(strict_types=1);

// Ports: HTTP with a WebSocket at /ws, to which the handshake attaches what its query says; TCP lines. Both do what a message says,
// and any worker tells what is attached to a connection: /data?id=.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, Tcp, Worker};
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
            'attach' => [$who->attach($rest)->name, $who->data()],
            'long' => [$who->attach(str_repeat('x', (int) $rest))->name, strlen($who->data())],
            'gone' => $who::fromId(1 << 40)->attach($rest)->name,
        };
    } catch (Throwable $error) {
        $done = $error::class . ': ' . $error->getMessage();
    }
    return json_encode(['pid' => getmypid(), 'generation' => Worker::current()->generation, 'did' => $done]);
}

$site = $server->http(address(0), function (Request $request, Response $response) use ($server): void {
    $response->json(match ($request->path()) {
        '/data' => ['pid' => getmypid(), 'data' => Connection::fromId((int) $request->query('id'))->data()],
        '/stats' => stats($server),
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
