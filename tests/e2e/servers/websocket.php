<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, WebSocket};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, report, server, stats, worker};

$server = server(limits: new Limits(webSocket: new WebSocket\Limits(messageBytes: 5 << 20)));

$site = $server->http(address(), function (Request $request, Response $response) use ($server): void {
    match ($request->path()) {
        '/stats' => $response->json(stats($server)),
        '/publish' => [$server->publish($request->query('topic'), $request->query('data')), $response->text('published')],
        '/send' => $response->text(Connection::fromId((int) $request->query('id'))->send($request->query('data'))->name),
        default => $response->status(404)->text('no such page'),
    };
});

$site->webSocket('/echo', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        report('open', [
            'id' => $who->id,
            'path' => $request->path(),
            'query' => $request->query('q'),
            'x-test' => $request->header('x-test'),
        ]);
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $who->send($data, $binary);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('close', [
            'id' => $who->id,
            'code' => $code,
            'reason' => $reason,
            'late' => $who->send('too late')->name,
            'open' => $who->isOpen(),
        ]);
    }
});

$site->webSocket('/shout', function (Connection $who, string $data, bool $binary): void {
    $who->send(strtoupper($data));
});

// Does what the message says, and answers what came of it.
$site->webSocket('/do', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        if ($request->query('topic') !== null) {
            $who->subscribe($request->query('topic'));
        }
        $who->send(json_encode(['id' => $who->id, 'peer' => $who->peer()] + worker()));
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $wish = json_decode($data, true, flags: JSON_THROW_ON_ERROR);
        try {
            $result = $this->act($who, $wish);
        } catch (\Throwable $error) {
            $result = $error::class . ': ' . $error->getMessage();
        }
        $who->send(json_encode(['did' => $wish['do'], 'result' => $result]));
    }

    private function act(Connection $who, array $wish): mixed
    {
        return match ($wish['do']) {
            'send' => Connection::fromId($wish['to'])->send($wish['data'])->name,
            'send-bad-utf8' => $who->send("\xff")->name,
            'send-many' => array_map(fn ($delivery) => $delivery->name, Connection::sendMany($wish['to'], $wish['data'])),
            'send-counted' => array_map(fn (int $n) => $who->send("$n")->name, range(0, $wish['count'] - 1)),
            'publish' => $who->publish(
                $wish['topic'],
                $wish['data'] ?? str_repeat('x', $wish['size'] ?? 0),
                exceptSelf: $wish['exceptSelf'] ?? false,
            ),
            'subscribe' => $who->subscribe($wish['topic'])->name,
            'unsubscribe' => $who->unsubscribe($wish['topic'])->name,
            'ping' => $who->ping($wish['data'])->name,
            'close' => $who->close($wish['code'] ?? 1000, $wish['reason'] ?? '')->name,
            'close-other' => Connection::fromId($wish['to'])->close($wish['code'])->name,
            'is-open' => Connection::fromId($wish['to'])->isOpen(),
            'peer' => Connection::fromId($wish['to'])->peer(),
            'queued' => Connection::fromId($wish['to'])->queuedBytes(),
            'throw' => throw new \LogicException('wished for'),
        };
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('close', ['id' => $who->id, 'code' => $code, 'reason' => $reason]);
    }
});

$site->webSocket('/throw', function (Connection $who, string $data, bool $binary): void {
    throw new RuntimeException("broke at $data");
});

// Answers how the messages of this connection came, told by the number that each begins with.
$site->webSocket('/order', new class implements Handler {
    private array $next = [];

    public function open(Connection $who, Request $request): void
    {
        $this->next[$who->id] = 0;
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        if ($data === 'report') {
            $who->send((string) $this->next[$who->id]);
        } elseif ($this->next[$who->id] >= 0) {
            $this->next[$who->id] = (int) $data === $this->next[$who->id] ? $this->next[$who->id] + 1 : -(int) $data;
        }
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        unset($this->next[$who->id]);
    }
});

$server->run();
