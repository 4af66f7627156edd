<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, WebSocket};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, server};

$server = server(limits: new Limits(connections: 20_000, webSocket: new WebSocket\Limits(subscriptions: 8)));

$site = $server->http(address(), function (Request $request, Response $response) use ($server): void {
    match ($request->path()) {
        '/publish' => [$server->publish($request->query('topic'), $request->query('data')), $response->text('published')],
        '/subscribers' => $response->json($server->subscribers($request->query('topic'))),
        // As many questions at once as there are coroutines.
        '/many-questions' => $response->json(Sluice\Coroutine\all(...array_map(
            fn (int $n) => fn () => $server->subscribers("topic $n"),
            range(0, 99),
        ))),
        '/own-fiber' => (new Fiber(fn () => $response->json($server->subscribers('topic'))))->start(),
        '/deadline' => (function () use ($server, $response): void {
            try {
                $response->json($server->subscribers('topic', 0.0));
            } catch (Sluice\Coroutine\TimeoutException $exception) {
                $response->text($exception->getMessage());
            }
        })(),
        default => $response->status(404)->text('no such page'),
    };
});

// Does what the message says, and answers what came of it.
$site->webSocket('/do', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->send(json_encode(['id' => $who->id, 'pid' => getmypid()]));
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
            'subscribe' => $who->subscribe($wish['topic'])->name,
            'unsubscribe' => $who->unsubscribe($wish['topic'])->name,
            'subscribe-prefix' => $who->subscribePrefix($wish['prefix'])->name,
            'unsubscribe-prefix' => $who->unsubscribePrefix($wish['prefix'])->name,
            'topics' => $who->topics(),
            'prefixes' => $who->prefixes(),
            'topics-of' => Connection::fromId($wish['id'])->topics(),
            // What is published after a subscription reaches it, whatever way either of them takes.
            'enter' => [$who->subscribe($wish['topic']), $who->publish($wish['topic'], $wish['data'])] ? null : null,
            'publish' => $who->publish($wish['topic'], $wish['data'], exceptSelf: $wish['exceptSelf'] ?? false),
            'publish-counted' => array_map(
                fn (int $n) => $who->publish($wish['topic'], "{$wish['name']} $n" . str_repeat('.', $n % 7 * 1000)),
                range(0, $wish['count'] - 1),
            ) ? null : null,
        };
    }

    public function close(Connection $who, int $code, string $reason): void {}
});

// Subscribes to what its address says, and says nothing.
$site->webSocket('/listen', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        if ($request->query('topic') !== null) {
            $who->subscribe($request->query('topic'));
        }
        if ($request->query('prefix') !== null) {
            $who->subscribePrefix($request->query('prefix'));
        }
    }

    public function message(Connection $who, string $data, bool $binary): void {}

    public function close(Connection $who, int $code, string $reason): void {}
});

$server->run();
