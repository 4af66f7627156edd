<?php

declare(strict_types=1);

// Every public symbol, used as applications use it. Nothing here runs: PHPStan reads it at its highest level, with the stubs
// alone, and tests/repo/test_phpstan.py looks that no symbol is missing.

namespace Sluice\Examples\Api;

use Sluice\Coroutine;
use Sluice\Http;
use Sluice\Http2;
use Sluice\Metrics;
use Sluice\Shared;
use Sluice\Tcp;
use Sluice\Udp;
use Sluice\WebSocket;
use Sluice\{Delivery, Dispatch, Leak, LeakKind, Lease, Limits, Listener, LogFormat, LogLevel, Mode, Pool, PoolException, PoolStats, ProxyFields, Server, ServerException, Service, SlowClient, Stats, TaskException,
    TaskFailedException, TaskLostException, TaskPool, TaskPoolStats, TaskRefusedException, Timer,
    Tls, TlsVersion, TrustedProxies, Worker, WorkerStats};

use function PHPStan\Testing\assertType;

function coroutines(): int
{
    Coroutine\wait();
    return Coroutine\run(function (): int {
        $task = Coroutine\spawn(fn(): float => lcg_value());
        assertType('float', $task->await());
        assertType('Sluice\Coroutine\Task<float>', Coroutine\spawn(fn(int $x, string $y): float => $x + strlen($y), 1, y: 'a'));
        assertType('bool', $task->cancel() || $task->isDone());
        assertType('array<int<1, 6>|string>', Coroutine\all(fn(): int => random_int(1, 6), fn(): string => (string) getenv('A')));
        assertType('array<mixed>', Coroutine\all(named: fn(): int => 1));
        foreach (Coroutine\settle(fn(): int => random_int(1, 6)) as $outcome) {
            assertType('Sluice\Coroutine\Outcome<int<1, 6>>', $outcome);
            assertType('int<1, 6>|null', $outcome->value);
            assertType('Throwable|null', $outcome->error);
            assertType('int<1, 6>', $outcome->succeeded() ? $outcome->get() : 1);
        }
        assertType('float', Coroutine\any(fn(): float => lcg_value()));
        assertType('float', Coroutine\race(fn(): float => lcg_value()));
        assertType("array<'a'|'b', float>", Coroutine\map(['a' => 1, 'b' => 2], fn(int $x): float => $x * lcg_value(), limit: 2));
        assertType('string|false', Coroutine\timeout(1.5, fn() => file_get_contents('http://127.0.0.1/')));
        assertType('int<1, 6>', Coroutine\shield(fn(): int => random_int(1, 6)));
        assertType('int<1, 6>', Coroutine\asRequest(fn(): int => random_int(1, 6)));
        Coroutine\isolate(\ArrayObject::class, 'first', 'second');
        Coroutine\defer(fn() => print('done'));
        Coroutine\preempt(0.01, __DIR__ . '/vendor/');
        Coroutine\sleep(0.01);
        assertType('Sluice\Coroutine\Task<float>', Coroutine\start(fn(): float => lcg_value()));
        if (Coroutine\parentId() === 0 && in_array(Coroutine\id(), Coroutine\ids(), true)) {
            assertType('bool', Coroutine\suspend(0.1));
            assertType('bool', Coroutine\resume(1));
            assertType('Fiber|null', Coroutine\fiber(1));
        }
        $stats = Coroutine\stats();
        return $stats->live + $stats->peak + $stats->pooled + $stats->limit;
    }, coroutines: 100, pooledStacks: 10, stallSeconds: 0.0);
}

function failures(): string
{
    try {
        return Coroutine\timeout(1, fn(): string => 'x');
    } catch (Coroutine\TimeoutException | Coroutine\LimitException | Coroutine\DeadlockException | Coroutine\ConcurrentUseException $e) {
        return $e->getMessage();
    } catch (Coroutine\CancelledError $e) {
        throw $e;
    }
}

/** @param Coroutine\Channel<non-empty-string> $channel */
function channels(Coroutine\Channel $channel): int
{
    try {
        $channel->push('item', timeout: 1.0);
        assertType('non-empty-string', $channel->pop());
        foreach ($channel as $item) {
            assertType('non-empty-string', $item);
        }
    } catch (Coroutine\ClosedException) {
    }
    $channel->close();
    return $channel->isClosed() ? count($channel) : $channel->count();
}

function locks(): bool
{
    $mutex = new Coroutine\Mutex();
    $mutex->lock(1.0);
    $mutex->unlock();
    assertType('int<1, 6>', $mutex->use(fn(): int => random_int(1, 6)));
    $semaphore = new Coroutine\Semaphore(2);
    $semaphore->acquire();
    $semaphore->release();
    assertType('int<1, 6>', $semaphore->use(fn(): int => random_int(1, 6), 1.0));
    $group = new Coroutine\WaitGroup();
    $group->add(2);
    $group->done();
    $group->wait(0.1);
    return $mutex->isLocked() || $mutex->tryLock() || $semaphore->tryAcquire() || $semaphore->free() > 0 || count($group) > 0;
}

function scopes(): void
{
    /** @var Coroutine\ContextValue<string|null> $user */
    $user = new Coroutine\ContextValue(null);
    $user->set('eve');
    assertType('string|null', $user->get());
    assertType('int<0, max>', $user->with('adam', fn(): int => strlen((string) $user->get())));
    $sum = Coroutine\TaskGroup::run(function (Coroutine\TaskGroup $group): float {
        $task = $group->spawn(fn(): float => lcg_value());
        $group->spawn(strlen(...), 'x');
        $group->cancel();
        return $task->await();
    });
    assertType('float', $sum);
}

function limits(Limits $l): float
{
    return httpLimits($l->http) + http2Limits($l->http2) + webSocketLimits($l->webSocket) + tcpLimits($l->tcp) + (int) $l->udp->datagrams
        + $l->connections + $l->connectionsPerAddress + $l->connectionsPerAddressPerSecond + $l->arenaBytes + $l->ringBytes
        + $l->outBytes + $l->lentBytes + $l->temporaryFileBytes + $l->bodyStreams
        + $l->queuedBytes + $l->highWaterBytes + $l->lowWaterBytes + $l->queuedTotalBytes
        + $l->compressionBytes + $l->attachedBytes + $l->attachedTotalBytes + $l->encodingBytes + $l->accessLogBytes + $l->handshakes + $l->openFiles
        + $l->subscriptionBytes + $l->coroutines + $l->pooledStacks + $l->handshakeSeconds
        + $l->writeSeconds + $l->writeBytesPerSecond + $l->shutdownSeconds + $l->bootSeconds
        + $l->stallSeconds + $l->killSeconds + $l->queueSeconds;
}

function httpLimits(Http\Limits $l): float
{
    return (float) array_sum([
        $l->bodyBytes,
        $l->bodyFileBytes,
        $l->bodyStreamBytes,
        $l->bodySeconds,
        $l->bodyBytesPerSecond,
        $l->formFields,
        $l->formBytes,
        $l->partHeadBytes,
        $l->requestSeconds,
        $l->headBytes,
        $l->headerFields,
        $l->headSeconds,
        $l->keepAliveSeconds,
        $l->keepAliveRequests,
        $l->queuedBytes,
        $l->highWaterBytes,
        $l->lowWaterBytes,
        $l->writeSeconds,
        $l->writeBytesPerSecond,
    ]);
}

function http2Limits(Http2\Limits $l): float
{
    return (float) array_sum([
        $l->concurrentStreams,
        $l->streamResets,
        $l->pings,
        $l->settingsFrames,
        $l->emptyFrames,
        $l->continuations,
    ]);
}

function webSocketLimits(WebSocket\Limits $l): float
{
    return (float) array_sum([
        $l->messageBytes,
        $l->messageFragments,
        $l->messageSeconds,
        $l->messageBytesPerSecond,
        $l->handshakeSeconds,
        $l->idleSeconds,
        $l->closeSeconds,
        $l->subscriptions,
        $l->queuedBytes,
        $l->highWaterBytes,
        $l->lowWaterBytes,
        $l->writeSeconds,
        $l->writeBytesPerSecond,
    ]);
}

function tcpLimits(Tcp\Limits $l): float
{
    return (float) array_sum([
        $l->messageBytes,
        $l->messageSeconds,
        $l->messageBytesPerSecond,
        $l->idleSeconds,
        $l->queuedBytes,
        $l->highWaterBytes,
        $l->lowWaterBytes,
        $l->writeSeconds,
        $l->writeBytesPerSecond,
    ]);
}

function figures(Stats $s): int
{
    return $s->connections + $s->arenaBytes + $s->lentBytes + $s->compressionBytes + $s->attachedBytes + $s->subscriptionBytes
        + $s->queuedBytes + $s->temporaryFileBytes + $s->bodyStreams + $s->handshakes + $s->openFiles + $s->messagesReceived + $s->bytesReceived + $s->bytesSent
        + $s->coroutines + $s->pooledStacks + $s->peakCoroutines + $s->stalls + $s->datagramsDropped + $s->workers
        + $s->services + $s->serviceRestarts;
}

function server(): void
{
    $server = new Server(mode: Mode::Base, workers: 2, limits: new Limits(connections: 100), pidFile: '/run/app.pid');
    new Server(Mode::Process, workers: 1, maxWorkers: 4);
    $proxies = new TrustedProxies(['10.0.0.0/8'], ProxyFields::Forwarded, proxyProtocol: true);
    new TrustedProxies(['unix'], ProxyFields::XForwarded);
    new TrustedProxies([], ProxyFields::None);
    $tls = new Tls('cert.pem', 'key.pem', ['b.example' => ['b.pem', 'b.key']], minimumVersion: TlsVersion::V1_3);
    new Tls('cert.pem', 'key.pem', minimumVersion: TlsVersion::V1_2);
    $compression = new Http\Compression([Http\Encoding::Zstd, Http\Encoding::Brotli, Http\Encoding::Gzip], types: ['text/*']);
    echo count($compression->encodings), $compression->minBytes, implode($compression->types), $compression->gzipLevel, $compression->brotliLevel,
        $compression->zstdLevel;
    $log = new Http\AccessLog('access.log', Http\LogFormat::Json);
    echo $log->path, $log->format === Http\LogFormat::Common || $log->format === Http\LogFormat::Combined;

    $route = fn(Http\Request $request, Http\Response $response) => $response->json([
        $request->parameter('id'), implode(',', $request->parameters()), $request->route() ?? '',
        $request->trace()->traceId(), $request->trace()->spanId(), $request->trace()->parentSpanId() ?? '', $request->trace()->state(),
        implode(',', $request->trace()->baggage()), implode(',', Http\Trace::current()?->headers() ?? []), $request->trace()->isSampled() ? 1 : 0, $request->trace()->isDecided() ? 1 : 0,
    ]);
    $server->http('127.0.0.1:88')->get('/users/{id}', $route)->post('/users', handle(...))->put('/users/{id}', $route)
        ->any('/page', new Http\Script('/srv/page.php'), new Http\Options(classic: true, concurrency: 4, processes: 8, showErrors: true, pageEnd: '<hr>'))->patch('/users/{id}', $route)->delete('/users/{id}', $route)->any('/old/{path...}', new Http\Files('/srv'))
        ->route('OPTIONS', '/users/{id}', $route)
        ->webSocket('/rooms/{id}', fn(WebSocket\Connection $who) => $who->send($who->parameter('id') . implode(',', $who->parameters())));
    $processes = new Http\Processes(most: 8, least: 2, requests: 500, idleSeconds: 5.0, terminateSeconds: 30.0, slowSeconds: 2.0);
    echo $processes->most, $processes->least, $processes->requests, $processes->idleSeconds, $processes->terminateSeconds, $processes->slowSeconds;
    $server->http('127.0.0.1:90', new Http\DocumentRoot('/srv/www', front: 'index.php'), new Http\Options(processes: $processes));
    $options = new Http\Options(Dispatch::Sticky, Http\Bodies::Whole, cancelOnDisconnect: true, compression: $compression, versions: Http\Versions::Http1, accessLog: $log,
        errorPages: new Http\ErrorPages(html: [404 => '<p>{detail}', '*' => '<p>{status} {reason}'], json: ['*' => '{}'], otherwise: Http\ErrorFormat::Json));
    assert($options->errorPages instanceof Http\ErrorPages);
    echo Http\ErrorFormat::Html->name, Http\ErrorFormat::Text->name;
    assert($options->dispatch === Dispatch::Sticky && $options->bodies === Http\Bodies::Whole && $options->cancelOnDisconnect === true);
    assert($options->versions !== Http\Versions::Any && $options->versions !== Http\Versions::Http2 && $options->accessLog === $log);
    assert($options->compression instanceof Http\Compression);
    $listener = new Listener('127.0.0.1:80', $tls, $proxies);
    assert($listener->tls === $tls && $listener->proxies === $proxies && $listener->socketMode === null && $listener->address !== '');
    $site = $server->http($listener, handle(...), $options, new Http\Limits(bodyBytes: 1 << 20), new Http2\Limits(pings: 5));
    $site->post('/videos', handle(...), new Http\Options(bodies: Http\Bodies::Stream, compression: false), new Http\Limits(bodyBytes: 2 << 30));
    $site->webSocket('/limited', new Chat(), limits: new WebSocket\Limits(messageBytes: 1000));
    $server->tcp('127.0.0.1:89', Tcp\Framing::none(), fn(Tcp\Connection $who) => $who->close(), limits: new Tcp\Limits(idleSeconds: 60.0));
    $server->http('127.0.0.1:81', fn(Http\Request $request, Http\Response $response) => $response->text('hello'), new Http\Options(Dispatch::LeastBusy));
    $server->http(new Listener('unix:/run/app.sock', socketMode: 0600), new Http\Files('/srv', prefix: '/static/', index: ['index.html']));
    assertType('Sluice\Http\Site', $site);
    routes($site);

    $server->tcp('127.0.0.1:82', Tcp\Framing::line("\r\n"), fn(Tcp\Connection $from, string $line) => $from->send("$line\r\n"));
    $server->tcp('127.0.0.1:83', Tcp\Framing::lengthPrefix(2, order: Tcp\ByteOrder::LittleEndian), new Lines(), slowClient: SlowClient::Wait);
    $server->tcp('127.0.0.1:84', Tcp\Framing::none(), new Lines(), slowClient: SlowClient::Close);
    $server->udp('127.0.0.1:85', fn(Udp\Peer $from, string $datagram): Delivery => $from->send($datagram));
    $server->udp('127.0.0.1:86', new Datagrams(), new Udp\Limits(datagrams: 100));
    echo Tcp\ByteOrder::BigEndian->name;

    $server->readiness('database', fn(): bool => true, timeout: 1.0, interval: 2.0)->readiness('cache', fn(): string => 'away');
    $server->admin('127.0.0.1:9400', null)->admin(token: 'a-token-of-this-test', address: 'unix:/run/admin.sock');
    $server->tracing()->tracing('http://127.0.0.1:4318/v1/traces', ratio: 0.1, service: 'shop', headers: ['x-api-key' => 'key']);
    $server->watch([__DIR__], ['*.php'], 0.5)->canary(30, 0.1)->onWorkerStart(fn(Worker $worker) => print("$worker->id $worker->pid $worker->generation"))
        ->service('queue', function (Service $service): void {
            while ($service->wait(0.5)) {
                echo Service::isStopping() ? '' : "$service->name $service->id $service->pid $service->generation" . Service::current()?->name;
            }
        }, processes: 2)
        ->runAs('www-data', 'www-data', 0o027)->log(LogFormat::Json, LogLevel::Warning)->log(LogFormat::Text, LogLevel::Error)->log(least: LogLevel::Info)->crashReports('/var/crash')
        ->recycle(requests: 1000, seconds: 60.0, memoryBytes: 1 << 26)->onWorkerStop(fn() => print(Worker::current()?->id . ' ' . Worker::lentBytes() . (Worker::isStopping() || Worker::waitForEnd(1.0) ? ' ends' : '')))
        ->onWorkerStart(fn() => Worker::replace())
        ->onError(fn(\Throwable $error, ?Http\Request $request) => error_log($request?->path() . $error->getMessage()))
        ->onRequest(fn(Http\Request $request) => print($request->method()))
        ->onResponse(fn(Http\Request $request, Http\Response $response, float $seconds) => print($response->statusCode() . $seconds));
    $server->detectLeaks(function (Leak $leak): void {
        echo $leak->kind->value, $leak->place, $leak->was, $leak->is, $leak->request, $leak->__toString(), match ($leak->kind) {
            LeakKind::Value, LeakKind::Setting, LeakKind::Registration, LeakKind::OutputBuffer, LeakKind::Transaction => 1,
            LeakKind::Descriptor, LeakKind::Timer, LeakKind::Coroutine, LeakKind::Memory => 2,
        };
    }, ignore: ['App\Metrics::*'], warmUp: 1);
    $pool = $server->tasks(boot: fn(): array => ['half' => fn(mixed $payload): float => (is_int($payload) ? $payload : 0) / 2], workers: 2, queue: 10, graceSeconds: 0.5);
    try {
        assertType('Sluice\TaskPool', $pool);
        $half = $pool->run('half', 5, priority: 1, timeout: 2.5);
        assertType('mixed', $half);
        $stats = $pool->stats();
        assertType('Sluice\TaskPoolStats', $stats);
        echo $stats->workers + $stats->running + $stats->waiting + $stats->done + $stats->failed + $stats->cancelled + $stats->lost + $stats->refused;
    } catch (TaskFailedException $e) {
        echo $e->task, $e->class, $e->getMessage(), $e->taskTrace;
    } catch (TaskLostException|TaskRefusedException $e) {
        echo (fn(TaskException $e): string => $e->getMessage())($e);
    }
    Timer::cron('*/5 * * * *', fn(\DateTimeImmutable $minute) => print($minute->format('H:i')), timeZone: 'Europe/Berlin');
    try {
        $server->run();
    } catch (ServerException $e) {
        echo $e->getMessage();
    }
    $timer = Timer::every(1.0, fn() => $server->publish('topic', figures($server->stats()) . $server->subscribers('topic')));
    Timer::after(1.0, function () use ($server): void {
        assertType('array<int, string>', $server->listSubscribers('topic', 100, after: 7));
    });
    if ($timer->isActive()) {
        $timer->cancel();
    }
    Timer::after(1.0, $server->reload(...));
    Timer::after(1.0, $server->stop(...));
    echo implode($server->addresses());
}

function routes(Http\Site $site): void
{
    $compression = new WebSocket\Compression(serverTakeover: true);
    echo $compression->serverTakeover, $compression->clientTakeover, $compression->serverWindowBits, $compression->clientWindowBits,
        $compression->level, $compression->minBytes;
    $heartbeat = new WebSocket\Heartbeat(10.0);
    echo $heartbeat->everySeconds, $heartbeat->timeoutSeconds;
    $origins = new WebSocket\Origins(['https://example.org']);
    $options = new WebSocket\Options(['chat.v1'], $origins, $compression, $heartbeat, SlowClient::DropOldest);
    assert($options->protocols !== [] && $options->origins === $origins && $options->slowClient === SlowClient::DropOldest);
    assert($options->compression === $compression && $options->heartbeat === $heartbeat);
    $site->webSocket('/chat', new Chat(), $options, handshake: function (WebSocket\Handshake $handshake) use ($origins): void {
        $request = $handshake->request;
        if (!$origins->allows($request->header('origin'), $request->host(), $request->isSecure())) {
            $handshake->refuse(403, 'no');
        }
        if (!$handshake->isRefused() && in_array('chat.v1', $handshake->protocols(), true)) {
            $handshake->protocol('chat.v1')->attach('who')->header('X-A', '1');
        }
    })
        ->webSocket('/echo', fn(WebSocket\Connection $who, string $data, bool $binary) => $who->send($data, $binary), new WebSocket\Options(slowClient: SlowClient::DropNewest));
}

final class Lines implements Tcp\Handler
{
    public function open(Tcp\Connection $who): void
    {
        echo $who->id, $who->peer(), $who->data(), $who->attach('who', 1.0)->name, Tcp\Connection::fromId($who->id)->queuedBytes();
    }

    public function message(Tcp\Connection $who, string $data): void
    {
        if ($who->send($data) === Delivery::Closed || !$who->isOpen()) {
            $who->close();
        }
    }

    public function close(Tcp\Connection $who): void {}
}

final class Datagrams implements Udp\Handler
{
    public function datagram(Udp\Peer $from, string $datagram): void
    {
        echo $from->address();
    }
}

final class Chat implements WebSocket\PongHandler
{
    public function open(WebSocket\Connection $who, Http\Request $request): void
    {
        $who->subscribe('room');
        $who->subscribePrefix('room/');
        echo implode($who->topics()), implode($who->prefixes()), $who->protocol(), $who->peer(), $request->path(), $who->data(), $who->attach('who')->name;
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void
    {
        $who->publish('room', $data, $binary, exceptSelf: true);
        $lost = WebSocket\Connection::sendMany([$who->id], $data);
        assertType('array<int, Sluice\Delivery>', $lost);
        $who->unsubscribe('room');
        $who->unsubscribePrefix('room/');
        $who->ping('x');
        if ($who->isOpen() && $who->queuedBytes() > 1000) {
            $who->close(1013, 'slow');
        }
    }

    public function close(WebSocket\Connection $who, int $code, string $reason): void
    {
        echo WebSocket\Connection::fromId($who->id)->roundTripSeconds();
    }

    public function pong(WebSocket\Connection $who, float $roundTripSeconds, string $data): void {}
}

function handle(Http\Request $request, Http\Response $response): void
{
    echo $request->method(), $request->target(), $request->path(), $request->protocol(), $request->host(), $request->peer(),
        $request->clientAddress(), $request->connectionPeer(), $request->isSecure(), $request->isConnectionSecure(), $request->scheme(),
        $request->query('a'), $request->queryString(), count($request->queryAll()), $request->header('a', 'b'), count($request->headers()),
        $request->cookie('a'), count($request->cookies()), $request->prefers(['text/html']), $request->prefersLanguage(['de']),
        count($request->serverParams()), $request->body(), $request->form('a'), count($request->formAll());
    if (!is_array($request->json()) || !is_resource($request->bodyStream())) {
        throw new Http\BadRequest('an object is wanted');
    }
    $request->receiveBody();
    foreach ($request->files() as $file) {
        if ($file instanceof Http\UploadedFile) {
            echo $file->clientName, $file->clientType, $file->size, $file->contents(), $file->path(), is_resource($file->stream());
            $file->moveTo('/tmp/x');
        }
    }
    $response->status(201)->header('A', 'b')->addHeader('A', 'c')->trailer('T', 'u')->etag('v1')->lastModified(time())->withoutCompression();
    $response->cookie('a', 'b', secure: true, sameSite: Http\SameSite::None)->cookie('c', sameSite: Http\SameSite::Strict)
        ->cookie('d', sameSite: Http\SameSite::Lax);
    $response->earlyHints('</a.css>; rel=preload');
    if ($response->endByCondition() || $response->isEnded() || $response->write('part') === Delivery::Dropped) {
        return;
    }
    $sent = match ($request->path()) {
        '/html' => $response->html('<p>'),
        '/json' => $response->json(['a' => 1]),
        '/ready' => $response->jsonText('{}'),
        '/file' => $response->sendFile('/srv/a.pdf', download: 'a.pdf'),
        '/away' => $response->redirect('/', 303),
        '/text' => $response->text('x'),
        '/echoed' => $response->capture(fn() => print('x')),
        default => $response->end(),
    };
    echo $sent === Delivery::Sent || $sent === Delivery::Queued;
    if (!(new Http\Files('/srv'))->send($request, $response)) {
        (new Http\Files('/srv'))->handle($request, $response);
    }
    stream($response->events());
}

function stream(Http\EventStream $events): void
{
    $events->send('data', 'type', id: '1', retryMs: 100);
    $events->comment();
    $events->end();
}

/** @return Pool<\PDO> */
function pools(): Pool
{
    $pool = Pool::pdo('sqlite::memory:', prepare: fn(\PDO $db) => $db->exec('PRAGMA foreign_keys = ON'), max: 5, name: 'database');
    assertType('int', $pool->use(fn(\PDO $db): int => (int) $db->exec('DELETE FROM a')));
    assertType('string|null', $pool->name);
    $lease = $pool->borrow();
    assertType('PDO', $lease->item);
    $lease->giveBack();
    $lease->discard();
    show($pool->stats(), Pool::mysqli('db', 'user')->borrow(), Pool::redis('cache')->borrow());
    $own = new Pool(fn(): \ArrayObject => new \ArrayObject(), check: fn(\ArrayObject $each): bool => count($each) === 0);
    assertType('ArrayObject<*NEVER*, *NEVER*>', $own->borrow()->item);
    try {
        $pool->close();
    } catch (PoolException) {
    }
    return $pool;
}

function beside(int $pid): void
{
    assertType('Sluice\Stats', Stats::ofServer($pid));
    foreach (WorkerStats::ofServer($pid) as $worker) {
        echo $worker->id + $worker->pid + $worker->generation + $worker->handled + $worker->inFlight + $worker->waiting + $worker->coroutines;
    }
}

/**
 * @param Lease<\mysqli> $mysqli
 * @param Lease<\Redis> $redis
 */
function show(PoolStats $stats, Lease $mysqli, Lease $redis): void
{
    echo $stats->size, $stats->idle, $stats->inUse, $stats->waiting, $stats->created, $stats->closed, $stats->timeouts;
    echo $mysqli->item->error, $redis->item->isConnected();
}

function metrics(): void
{
    $orders = new Metrics\Counter('orders_total', 'Orders.', labels: ['country'], maxSeries: 100);
    $german = $orders->labels(country: 'DE');
    assertType('Sluice\Metrics\Counter', $german);
    $german->inc();
    $german->inc(2.5);
    assertType('float|int', $german->value());
    $queued = new Metrics\Gauge('queued', 'Jobs that wait.', ['queue']);
    $queued->labels('mail')->set(3);
    $queued->labels('mail')->inc();
    $queued->labels('mail')->dec(0.5);
    assertType('float', $queued->labels(7)->value());
    $seconds = new Metrics\Histogram('query_seconds', 'Queries.', buckets: [0.1, 1], labels: ['table']);
    $seconds->labels(table: 'users')->observe(0.3);
    assertType('int', $seconds->labels('users')->count());
    assertType('float', $seconds->labels('users')->sum());
}

function shared(): int
{
    $table = new Shared\Table('table', bytes: 1 << 20, evict: true);
    try {
        $table->set('a', [1], seconds: 1.5);
    } catch (Shared\FullException $full) {
        echo $full->getMessage();
    }
    assertType('mixed', $table->get('a', 0));
    assertType('bool', $table->add('a', 1) || $table->compareAndSet('a', 1, 2) || $table->compareAndRemove('a', 2) || $table->has('a') || $table->remove('a'));
    assertType('int', $table->increment('n', 5, 60.0));
    assertType('string', $table->update('s', fn(mixed $before): string => is_string($before) ? $before . 'a' : ''));
    assertType('list<string>', $table->listKeys('user:'));
    $table->clear();
    $stats = $table->stats();
    $counter = new Shared\Counter('hits');
    $counter->set(1);
    echo $counter->compareAndSet(1, 2), $counter->add(), $counter->get();
    echo $counter->waitWhile(2, 0.1), $counter->wake();
    $both = new Shared\ReadWriteLock('both');
    assertType('int<1, 6>', $both->read(fn(): int => random_int(1, 6), 'a', 1.0) + $both->write(fn(): int => 0));
    $lock = new Shared\Lock('lock');
    assertType('int<1, 6>', $lock->use(fn(): int => random_int(1, 6), key: 'a', timeout: 1.0));
    $held = $lock->tryAcquire('b') ?? $lock->acquire('b', leaseSeconds: 5.0);
    echo $held->key, $held->isHeld(), $held->extend(1.0), $held->release(), $lock->isHeld();
    $limiter = new Shared\RateLimiter('logins', 5, 60.0);
    $limiter->reset('me');
    $decision = $limiter->take('me');
    return left($decision, $stats) + count($table) + (int) held($held);
}

function left(Shared\RateDecision $decision, Shared\TableStats $stats): int
{
    return $decision->allowed ? $decision->remaining : (int) $decision->retryAfter
        + $stats->entries + $stats->usedBytes + $stats->bytes + $stats->evicted + $stats->repaired;
}

function held(Shared\HeldLock $held): bool
{
    return $held->isHeld() && $held->key !== 'a';
}

function clients(): string
{
    $client = new Http\Client(headers: ['Accept' => 'text/html'], timeout: 5.0);
    try {
        $response = $client->get('http://127.0.0.1/', timeout: 1.0);
        $client->post('http://127.0.0.1/', 'body');
        $client->postJson('http://127.0.0.1/', [1]);
        $client->postForm('http://127.0.0.1/', ['a' => [1, 2], 'f' => Http\FormFile::fromPath('/etc/hosts'), 's' => Http\FormFile::fromString('', 'a', 'a/b')]);
        $client->request('PUT', 'http://127.0.0.1/', body: ['one', 'two'], idleTimeout: 1.0);
        pieces($response);
        return $response->body();
    } catch (Http\ConnectException | Http\TimeoutException | Http\TlsException | Http\ProtocolException | Http\TooLargeException $e) {
        return $e->getMessage();
    } catch (Http\ClientException $e) {
        return $e::class;
    }
}

function pieces(Http\ClientResponse $response): void
{
    foreach ($response->pieces() as $piece) {
        echo strlen($piece);
    }
    echo $response->status, $response->reason, $response->isSuccess(), $response->header('a'), count($response->headers());
    assertType('mixed', $response->json());
    $response->close();
}

function sockets(): string
{
    try {
        $socket = WebSocket\Client::connect('wss://example.org/', protocols: ['a'], propagateTrace: false);
        $socket->send('hello');
        $socket->ping();
        $first = $socket->receive(timeout: 1.0);
        foreach ($socket as $message) {
            echo received($message);
        }
        $socket->close(1000, 'bye');
        return $first?->data . $socket->protocol . $socket->compressed . $socket->isOpen() . $socket->closeCode() . $socket->closeReason();
    } catch (WebSocket\ConnectException | WebSocket\HandshakeException | WebSocket\TimeoutException | WebSocket\ClosedException $e) {
        return $e->getMessage();
    } catch (WebSocket\ClientException $e) {
        return $e::class;
    }
}

function received(WebSocket\Message $message): string
{
    return $message->binary ? bin2hex($message->data) : $message->data;
}
