<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{AccessLog, Client, LogFormat, Options, Request, Response, Trace};
use Sluice\{Timer, WebSocket};

use function Sluice\EndToEnd\{address, report, server};

function ids(?Trace $trace): ?array
{
    return $trace === null ? null : [
        'trace' => $trace->traceId(), 'span' => $trace->spanId(), 'parent' => $trace->parentSpanId(), 'sampled' => $trace->isSampled(), 'decided' => $trace->isDecided(),
        'state' => $trace->state(), 'baggage' => $trace->baggage(), 'headers' => $trace->headers(),
    ];
}

$server = server();
if (getenv('LOG_FORMAT')) {
    $server->log(Sluice\LogFormat::from(getenv('LOG_FORMAT')));
}
$options = new Options(accessLog: new AccessLog(getenv('LOG'), LogFormat::Json));
$site = $server->http(address(), function (Request $request, Response $response): void {
    $response->json(ids($request->trace()));
}, $options);
$site->get('/current', function (Request $request, Response $response): void {
    $spawned = Coroutine\spawn(function (): array {
        Coroutine\sleep(0.001);
        return [ids(Trace::current()), Coroutine\spawn(fn () => ids(Trace::current()))->await()];
    });
    $response->json([ids($request->trace()), ids(Trace::current()), ...$spawned->await()]);
});
$site->get('/timer', function (Request $request, Response $response): void {
    Timer::after(0.001, fn () => report('timer', ['trace' => ids(Trace::current())]));
});
$site->get('/headers', fn (Request $request, Response $response) => $response->json($request->headers()));
$site->get('/upstream', function (Request $request, Response $response): void {
    $client = new Client(propagateTrace: $request->query('off') === null);
    $headers = $request->query('own') === null ? [] : ['TraceParent' => $request->query('own')];
    $response->json([ids($request->trace()), $client->get('http://' . address() . '/headers', $headers)->json()]);
});
$site->get('/upstream-websocket', function (Request $request, Response $response): void {
    $headers = $request->query('own') === null ? [] : ['TraceParent' => $request->query('own')];
    $client = WebSocket\Client::connect('ws://' . address() . '/ws', $headers, propagateTrace: $request->query('off') === null);
    $response->json([ids($request->trace()), json_decode($client->receive(10)->data, true)]);
    $client->close();
});
$site->get('/log', function (Request $request, Response $response): void {
    error_log('said on purpose');
    Coroutine\spawn(function (): void {
        error_log('said by a task');
    })->await();
    $response->json(ids($request->trace()));
});
$site->get('/throw', function (): void {
    throw new RuntimeException('thrown on purpose');
});
$site->webSocket('/ws', new class implements WebSocket\Handler {
    public function open(WebSocket\Connection $who, Request $request): void
    {
        $who->send(json_encode(ids($request->trace())));
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void {}

    public function close(WebSocket\Connection $who, int $code, string $reason): void {}
});
$server->run();
