<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Delivery, Http, Limits, WebSocket, Worker};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, report, server, stats};

$server = server(limits: new Limits(
    arenaBytes: 8 << 20,
    lentBytes: 2 << 20,
    outBytes: 4 << 20,
    queuedBytes: 1 << 20,
    writeSeconds: 60.0,
    http: new Http\Limits(bodyBytes: 2 << 20),
    webSocket: new WebSocket\Limits(messageBytes: 2 << 20),
));

$kept = [];

$site = $server->http(address(), function (Request $request, Response $response) use ($server, &$kept): void {
    match ($request->path()) {
        '/stats' => $response->json(stats($server) + ['lent' => Worker::lentBytes()]),
        '/forget' => [$kept = [], $response->json(['lent' => Worker::lentBytes()])],
        '/kept' => $response->json(array_map(fn (string $data) => [strlen($data), md5($data)], $kept)),
        default => $response->status(404)->end(),
    };
});

// Counts messages of all clients, and answers each client's "report" with its own count.
$counts = [];
$site->webSocket('/count', function (Connection $who, string $data, bool $binary) use (&$counts): void {
    if ($data === 'report') {
        $who->send(json_encode($counts[$who->id] ?? null));
        return;
    }
    $counts[$who->id] ??= ['messages' => 0, 'bytes' => 0, 'wrong' => 0];
    $counts[$who->id]['wrong'] += unpack('J', $data)[1] !== $counts[$who->id]['messages']++ ? 1 : 0;
    $counts[$who->id]['bytes'] += strlen($data);
});

// Counts messages whose first eight bytes number them, slowly.
$site->webSocket('/slow', new class($server) implements Handler {
    private int $next = 0;
    private int $bytes = 0;
    private int $wrong = 0;
    private int $mostInArena = 0;
    private ?string $rest = null;

    public function __construct(private readonly \Sluice\Server $server) {}

    public function open(Connection $who, Request $request): void {}

    public function message(Connection $who, string $data, bool $binary): void
    {
        if ($data === 'report') {
            $who->send(json_encode([
                'next' => $this->next,
                'bytes' => $this->bytes,
                'wrong' => $this->wrong,
                'mostInArena' => $this->mostInArena,
            ]));
            return;
        }
        if ($data === 'start') {
            [$this->next, $this->bytes, $this->wrong, $this->mostInArena] = [0, 0, 0, 0];
            return;
        }
        usleep(2000);
        $this->rest ??= md5(substr($data, 8));
        $this->wrong += unpack('J', $data)[1] !== $this->next++ || md5(substr($data, 8)) !== $this->rest ? 1 : 0;
        $this->bytes += strlen($data);
        $this->mostInArena = max($this->mostInArena, $this->server->stats()->arenaBytes);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        $this->rest = null;
    }
});

$site->webSocket('/keep', function (Connection $who, string $data, bool $binary) use (&$kept): void {
    $kept[] = $data;
    $who->send((string) Worker::lentBytes());
});

// PHP may do all this to a string in an extent, without harm to the string or to others.
$site->webSocket('/abuse', function (Connection $who, string $data, bool $binary): void {
    $before = md5($data);
    $copy = $data;
    $copy[0] = '!';
    $copy .= 'more';
    $longer = $data;
    $longer .= str_repeat('y', 100_000);
    $half = substr($data, 0, intdiv(strlen($data), 2));
    $map = [$data => 1];
    $same = $data;
    settype($same, 'string');
    $reference = &$same;
    $reference[1] = '?';
    $tail = $data[strlen($data) - 1];
    preg_match('/x*/', $data, $match);
    $who->send(json_encode([
        'intact' => md5($data) === $before && isset($map[$data]),
        'copy' => strlen($copy) - strlen($data),
        'longer' => strlen($longer) - strlen($data),
        'half' => strlen($half),
        'tail' => $tail,
        'matched' => strlen($match[0]),
    ]));
    unset($data);
});

// Sends until a send is refused.
$site->webSocket('/flood', function (Connection $who, string $data, bool $binary): void {
    if ($data === 'again') {
        $who->send($data);
        return;
    }
    $size = (int) $data;
    $results = ['Sent' => 0, 'Queued' => 0, 'Dropped' => 0, 'Closed' => 0];
    $queued = 0;
    for ($i = 0; $i < 5000 && $results['Dropped'] === 0; $i++) {
        $delivery = $who->send(pack('J', $i) . str_repeat('f', $size - 8), binary: true);
        $results[$delivery->name]++;
        $queued = max($queued, $who->queuedBytes());
    }
    report('flooded', $results + ['queued' => $queued]);
});

$site->webSocket('/echo', fn (Connection $who, string $data, bool $binary) => $who->send($data, $binary));

$server->run();
