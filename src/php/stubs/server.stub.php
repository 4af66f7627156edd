<?php

/** @generate-class-entries */

namespace Sluice;

/** Where client connections live. */
enum Mode: string
{
    /** A separate reactor process owns every connection; workers may die or be replaced at any time. */
    case Process = 'process';
    /** Each worker runs a reactor of its own: no hop between processes, but a worker takes its connections with it. */
    case Base = 'base';
}

/** What became of a send. None of them means that the client has read it. */
enum Delivery
{
    /** Handed on, and nothing of this connection waits in front of it. */
    case Sent;
    /** Handed on, behind bytes that the client has not taken yet. */
    case Queued;
    /** Not handed on: the connection's queue is over `Limits::$queuedBytes`, or the way there stayed full. */
    case Dropped;
    /** Not handed on: there is no such connection any more. */
    case Closed;
}

/** What becomes of a message for a client that is behind with reading: `Limits::$queuedBytes` would wait for it. */
enum SlowClient
{
    /**
     * Whoever sends waits, in its coroutine: once more than `Limits::$highWaterBytes` wait for the client, until it has taken all
     * but `Limits::$lowWaterBytes`. A client that takes nothing for `Limits::$writeSeconds` is closed. Where nobody can wait -
     * for a message that is published, and outside of coroutines - it is as DropNewest.
     */
    case Wait;
    /** The message is not sent: `Delivery::Dropped`. */
    case DropNewest;
    /** The message is queued, and the oldest ones that the client has not begun to receive make room for it. */
    case DropOldest;
    /** The client is closed, a WebSocket with 1013 once it reads again: `Delivery::Closed`. */
    case Close;
}

/** Which worker gets a message. */
enum Dispatch
{
    /**
     * Each message goes to the worker with the fewest unfinished ones (the default of HTTP). In base mode the worker that has a
     * connection handles all that comes by it.
     */
    case LeastBusy;
    /** All messages of a connection go to one worker, in order (always so for WebSocket and TCP). */
    case Sticky;
}

/** The server could not do what was asked: an address in use, a call in the wrong process, a worker that is not there. */
final class ServerException extends \RuntimeException
{
}

/**
 * Every bound that is the server's own, and what those of protocols are where a site, a route or a listener is given none; checked
 * when it is built. Bytes and seconds; a value out of range is a ValueError that
 * names the parameter, the value and what is allowed. docs/limits.md says for each what happens at it.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /** Open connections in total; further ones are closed on arrival. 1 to 1,000,000. */
    public readonly int $connections;
    /**
     * Open connections of one IPv4 address or one /64 network of IPv6; further ones are closed on arrival. Proxies that a
     * listener trusts are not counted, but for the clients that they name by the PROXY protocol. 0: no limit; up to 1,000,000.
     */
    public readonly int $connectionsPerAddress;
    /**
     * Connections that one IPv4 address or one /64 network of IPv6 opens within one second of the clock; further ones are closed on
     * arrival. 0: no limit; up to 1,000,000.
     */
    public readonly int $connectionsPerAddressPerSecond;
    /** In-bound shared memory for messages of 8 KiB and more, all reactors together. 1 MiB to 64 GiB. */
    public readonly int $arenaBytes;
    /** Each ring between one reactor and one worker; a power of two, 512 KiB to 64 MiB. */
    public readonly int $ringBytes;
    /**
     * Out-bound shared memory of each worker for payloads of 16 KiB and more, until their clients have taken them or 50 ms have
     * passed. 1 MiB to 64 GiB.
     */
    public readonly int $outBytes;
    /** In-bound bytes that PHP may keep after their handler has ended, per worker; above it, messages are copied. 0 to 64 GiB. */
    public readonly int $lentBytes;
    /**
     * All temporary files of the server; above it the answer is 503. 0 to 16,384 GiB; 0: there are none, and bodies of any
     * size are received into memory.
     */
    public readonly int $temporaryFileBytes;
    /**
     * Bodies that arrive while their handlers read them (`Http\Bodies::Stream`), all reactors together; above it
     * the answer is 503. 1 to 1,000,000.
     */
    public readonly int $bodyStreams;
    /**
     * Bytes waiting for one client to read them; above it the policy for slow clients decides. This, `highWaterBytes`,
     * `lowWaterBytes`, `writeSeconds` and `writeBytesPerSecond` may be others at a site, a route of WebSockets or a TCP listener.
     * 64 KiB to 4 GiB.
     */
    public readonly int $queuedBytes;
    /**
     * When more would wait for a client, `Response::write()`, and sends with `SlowClient::Wait`, suspend their coroutine. What is
     * above `queuedBytes` counts as that. 1 KiB to 4 GiB.
     */
    public readonly int $highWaterBytes;
    /** They go on when no more than this waits. 0 to 4 GiB, at most `highWaterBytes`. */
    public readonly int $lowWaterBytes;
    /**
     * Memory in which bytes wait for clients, of all connections together; a payload for many counts once. From half
     * of it on sends to clients that are behind are dropped; at the whole, HTTP requests are begun only for clients that have
     * read everything, and the connections of those who hold most for longest are closed. 1 MiB to 64 GiB.
     */
    public readonly int $queuedTotalBytes;
    /**
     * Contexts of WebSocket compression, all reactors together. When half of it is taken by connections that keep theirs
     * between messages, new ones get none of their own; when all is, messages wait to be inflated and are sent
     * uncompressed. 0 to 64 GiB.
     */
    public readonly int $compressionBytes;
    /**
     * What may be attached to one connection, by `WebSocket\Handshake::attach()` or a connection's `attach()`; above it they throw a
     * `ValueError`. 0 to 65,535.
     */
    public readonly int $attachedBytes;
    /**
     * What is attached to all connections, counted in blocks of 252 bytes that take 256; above it a handshake is answered with 503, and a
     * connection's `attach()` is `Dropped`. A process of several that have connections has its share of it. 0 to 64 GiB.
     */
    public readonly int $attachedTotalBytes;
    /**
     * Encoders of compressed HTTP responses, in each worker: one for each response that is being streamed, at most 0.3 MiB
     * for gzip and, at the usual levels, 4 MiB for Brotli and Zstandard. Above it responses are sent uncompressed. 0 to 64 GiB.
     */
    public readonly int $encodingBytes;
    /**
     * Lines that wait to be written to one access log, in each process that has clients; further ones are dropped, and the
     * server's log counts them. 4 KiB to 1 GiB.
     */
    public readonly int $accessLogBytes;
    /**
     * WebSocket handshakes whose handler has not decided yet, all reactors together; further ones are answered with 503.
     * 1 to 1,000,000.
     */
    public readonly int $handshakes;
    /**
     * Different files that are being sent, all reactors together: each takes a descriptor, however many clients it goes
     * to. Above it the answer is 503. 1 to 1,000,000.
     */
    public readonly int $openFiles;
    /**
     * Memory for the subscriptions of all WebSockets together, some hundred bytes for each topic and 80 for each that has
     * subscribed to it; one address holds at most eight times what is free. A further `subscribe()` is `Dropped`. 0 to 64 GiB.
     */
    public readonly int $subscriptionBytes;
    /**
     * Coroutines of one worker at a time: handlers that wait, and what they have spawned. A worker that has so many takes
     * no further message, and `Coroutine\spawn()` throws `Coroutine\LimitException`. Each takes a stack, and so two
     * of the mappings that the kernel's `vm.max_map_count` allows. 1 to 1,000,000.
     */
    public readonly int $coroutines;
    /** Stacks that a worker keeps for its next coroutines; what is more is given back as coroutines end. 0 to 1,000,000. */
    public readonly int $pooledStacks;
    /** For a TLS handshake, from the accept; then the connection is closed. All seconds: 0.001 to 1,000,000. */
    public readonly float $handshakeSeconds;
    /** For a client to take any byte that waits for it. */
    public readonly float $writeSeconds;
    /**
     * The least rate at which a client takes what waits for it. It may be behind by what takes `writeSeconds`, then the
     * connection is closed. 0 to 1 GiB; 0: there is none.
     */
    public readonly int $writeBytesPerSecond;
    /**
     * For everything to drain after SIGTERM, and for an old worker after a reload: requests and messages first, then what has
     * been spawned. After that coroutines are cancelled, and have 3 s to clean up.
     */
    public readonly float $shutdownSeconds;
    /** For the script to reach run(), and for a worker's onWorkerStart handlers to return; who takes longer is killed. */
    public readonly float $bootSeconds;
    /**
     * How long one call may hold a worker, whose other handlers wait meanwhile: code that computes, or a call of C that no
     * hook suspends. Above it the log says where it stands, and `Stats::$stalls` counts it; the call goes on. 0: nobody
     * watches, which is what a debugger's breakpoints want; up to 1,000,000.
     */
    public readonly float $stallSeconds;
    /**
     * How long one call may hold a worker at all. Then an `Error` is thrown where PHP's code stands; a worker in which that changes
     * nothing within 2 s, as it is in a call of C or catches everything, is killed, and another one takes its place. 0: for ever, which
     * is what a debugger's breakpoints want; up to 1,000,000.
     */
    public readonly float $killSeconds;
    /** What sites and routes have that are given no limits of their own, or not these. */
    public readonly Http\Limits $http;
    /** What sites have for HTTP/2 that are given no limits for that. */
    public readonly Http2\Limits $http2;
    /** What routes of WebSockets have that are given no limits of their own. */
    public readonly WebSocket\Limits $webSocket;
    /** What TCP listeners have that are given no limits of their own. */
    public readonly Tcp\Limits $tcp;
    /** What UDP listeners have that are given no limits of their own. */
    public readonly Udp\Limits $udp;

    public function __construct(
        int $connections = 65536,
        int $connectionsPerAddress = 0,
        int $connectionsPerAddressPerSecond = 0,
        int $arenaBytes = 268435456,
        int $ringBytes = 1048576,
        int $outBytes = 67108864,
        int $lentBytes = 33554432,
        int $temporaryFileBytes = 1073741824,
        int $bodyStreams = 1000,
        int $queuedBytes = 16777216,
        int $highWaterBytes = 1048576,
        int $lowWaterBytes = 262144,
        int $queuedTotalBytes = 536870912,
        int $compressionBytes = 67108864,
        int $attachedBytes = 4096,
        int $attachedTotalBytes = 67108864,
        int $encodingBytes = 67108864,
        int $accessLogBytes = 1048576,
        int $handshakes = 1000,
        int $openFiles = 1024,
        int $subscriptionBytes = 268435456,
        int $coroutines = 10000,
        int $pooledStacks = 256,
        float $handshakeSeconds = 10.0,
        float $writeSeconds = 30.0,
        int $writeBytesPerSecond = 240,
        float $shutdownSeconds = 10.0,
        float $bootSeconds = 60.0,
        float $stallSeconds = 1.0,
        float $killSeconds = 60.0,
        ?Http\Limits $http = null,
        ?Http2\Limits $http2 = null,
        ?WebSocket\Limits $webSocket = null,
        ?Tcp\Limits $tcp = null,
        ?Udp\Limits $udp = null,
    ) {}
}

/**
 * The worker process that this code runs in.
 *
 * @strict-properties
 * @not-serializable
 */
final class Worker
{
    /** 0 to workers - 1: its place among the workers. While a reload overlaps, an old and a new worker share it. */
    public readonly int $id;
    public readonly int $pid;
    /** 1 for the first boot of the script; each further boot, of a reload that fails too, gets the next number. */
    public readonly int $generation;

    private function __construct() {}

    /** The current worker, or null outside one. */
    public static function current(): ?Worker {}

    /**
     * Whether this worker is to end: it gets no further messages. What it has spawned has the rest of
     * `Limits::$shutdownSeconds` to come to its end; a loop in the background asks here whether to go on.
     */
    public static function isStopping(): bool {}

    /** Bytes of received messages that PHP still holds and that have not been given back to the reactor. */
    public static function lentBytes(): int {}
}

/**
 * Figures of the whole server, read from shared memory at the moment of the call.
 *
 * @strict-properties
 * @not-serializable
 */
final class Stats
{
    public readonly int $connections;
    /** Bytes of the in-bound arena that are in use: being filled, waiting, or lent to workers. */
    public readonly int $arenaBytes;
    /** Bytes lent to all workers together. */
    public readonly int $lentBytes;
    /** Bytes of WebSocket compression contexts: in use, kept ready, or reserved for a connection; see Limits. */
    public readonly int $compressionBytes;
    /** Bytes of blocks in which what is attached to connections is kept. */
    public readonly int $attachedBytes;
    /** Bytes of topics and subscriptions, as `Limits::$subscriptionBytes` counts them. */
    public readonly int $subscriptionBytes;
    public readonly int $messagesReceived;
    public readonly int $bytesReceived;
    public readonly int $bytesSent;
    /** Coroutines of all workers together: handlers, timers and what they have spawned, begun or about to. */
    public readonly int $coroutines;
    /** Fibers of all workers together that are kept for the next coroutines. */
    public readonly int $pooledStacks;
    /** The most coroutines that one of the workers has had at a time. */
    public readonly int $peakCoroutines;
    /** Calls that have held a worker longer than `Limits::$stallSeconds`, since the server's start. */
    public readonly int $stalls;
    /** UDP datagrams that found no worker, no memory, no room in the kernel or no network to take them, since the server's start. */
    public readonly int $datagramsDropped;

    private function __construct() {}
}

/**
 * One server: any number of listeners, each with a handler, served by worker processes.
 *
 * Build it, name its listeners, then call run(). Everything up to run() happens once per boot, everything
 * after it in the handlers happens in the workers.
 *
 * @strict-properties
 * @not-serializable
 */
final class Server
{
    /**
     * @param int|null $workers worker processes, 1 to 128; null: one per CPU
     * @param int|null $reactors native threads that own the connections in process mode, 1 to 64, so few
     *     that each one's share of `Limits::$arenaBytes` holds two of the longest messages; null: half the CPUs, at least 1
     * @param string|null $pidFile where the master writes its process id while it runs, and which it holds locked
     * @param string|null $logFile appended to by every process; null: standard error
     * @param string|null $temporaryFolder where bodies longer than `Http\Limits::$bodyFileBytes` are kept, in files without a name;
     *     null: sys_get_temp_dir()
     * @throws \ValueError naming the option, the value and what is allowed
     */
    public function __construct(
        Mode $mode = Mode::Process,
        ?int $workers = null,
        ?int $reactors = null,
        ?Limits $limits = null,
        ?string $pidFile = null,
        ?string $logFile = null,
        ?string $temporaryFolder = null,
    ) {}

    /**
     * Serves HTTP, and on the same port the routes and WebSockets that are added to the returned site.
     *
     * @param string|Listener $address where: `127.0.0.1:8080`, `unix:/run/app.sock`, or a Listener, which tells of all addresses, and has
     *     TLS, trusted proxies and permissions beside them
     * @param (callable(Http\Request, Http\Response): mixed)|Http\Handler|null $handler gets what no route matches; what it returns
     *     is of no meaning. null: the answer is 404
     * @param Http\Options|null $options how requests are handled; its routes have these unless they are given others
     * @param Http\Limits|null $limits bounds of its requests, and of those of its routes; null, and what they leave open: `Limits::$http`
     * @param Http2\Limits|null $http2 bounds of connections that speak HTTP/2; null, and what they leave open: `Limits::$http2`
     * @throws \ValueError
     */
    public function http(
        string|Listener $address,
        callable|Http\Handler|null $handler = null,
        ?Http\Options $options = null,
        ?Http\Limits $limits = null,
        ?Http2\Limits $http2 = null,
    ): Http\Site {}

    /**
     * Serves framed TCP.
     *
     * @param string|Listener $address as for http()
     * @param (callable(Tcp\Connection, string): mixed)|Tcp\Handler $handler a callable gets the messages
     * @param Tcp\Limits|null $limits null, and what they leave open: `Limits::$tcp`
     * @param SlowClient $slowClient what send() does when its client does not read. Not `DropOldest`; what is dropped leaves a
     *     hole in the stream
     */
    public function tcp(
        string|Listener $address,
        Tcp\Framing $framing,
        callable|Tcp\Handler $handler,
        ?Tcp\Limits $limits = null,
        SlowClient $slowClient = SlowClient::Wait,
    ): void {}

    /**
     * Serves UDP: each datagram is handled by itself, by the worker that is least busy. What comes while all of them are too
     * far behind is dropped, as UDP may; `Udp\Limits::$datagrams` and `Stats::$datagramsDropped`. The sender's address is what
     * the datagram says: an answer that is longer than its question can be turned against others.
     *
     * @param string $address as for http(), but of no Unix socket; it may be that of an HTTP or TCP listener. Of a host with
     *     several addresses name the one that clients use: behind `0.0.0.0` answers leave by the address that the kernel chooses
     * @param (callable(Udp\Peer, string): mixed)|Udp\Handler $handler
     * @param Udp\Limits|null $limits null, and what they leave open: `Limits::$udp`
     */
    public function udp(string $address, callable|Udp\Handler $handler, ?Udp\Limits $limits = null): void {}

    /**
     * Has workers replaced when they have served for so long, for applications whose memory grows, or whose connections to others should not grow
     * old. A worker goes on until another one is ready, then ends what it has begun; requests notice nothing. WebSockets and TCP connections stay,
     * but in base mode, where they live in the worker and are closed by its end. Up to a tenth is added by chance, so that workers do not leave
     * together. Called again, it replaces what was said before.
     *
     * @param int|null $requests requests, messages and datagrams that a worker handles, 1 to 1e15; null: any number
     * @param float|null $seconds from its first message on, 1 to 1e9; null: for ever
     * @param int|null $memoryBytes what PHP has given to the worker's code when it has handled something, garbage not counted; 1 MiB to 1 TiB; null: up to
     *     `memory_limit`
     * @throws \ValueError
     */
    public function recycle(?int $requests = null, ?float $seconds = null, ?int $memoryBytes = null): static {}

    /**
     * Has the script booted anew, as a reload does, once files below these folders have changed and then nothing has for a
     * moment. For development: a deployment sends SIGHUP when all of it is there. Folders that are made later belong to it;
     * what begins with a dot does not, and symbolic links are followed. A script that fails is shown in the log, and the old
     * one serves until the next change. Called again: instead of what was said before.
     *
     * @param list<string> $paths folders, and single files
     * @param list<string> $names which files in folders count, as patterns with `*`, `?` and `[…]`
     * @param float $quietSeconds 0.01 to 60; after a boot that has itself changed such files twice as long as before it, up to
     *     10 seconds
     * @throws \ValueError
     */
    public function watch(array $paths, array $names = ['*.php'], float $quietSeconds = 0.1): static {}

    /** @param callable(Worker): mixed $callback called in each worker before its first message */
    public function onWorkerStart(callable $callback): static {}

    /**
     * @param callable(Worker): mixed $callback called in each worker after its last message, when all coroutines have ended or been
     *     cancelled; not when it is killed
     */
    public function onWorkerStop(callable $callback): static {}

    /**
     * For error trackers: called with each exception that is logged because nobody has caught it, and with the request whose
     * handler it came out of, an HTTP handler or one of WebSocket handshakes; null for other handlers, timers and spawned coroutines. The client has
     * its answer by then, so the callback may wait. Several are called in turn; what one throws is logged.
     *
     * @param callable(\Throwable, Http\Request|null): mixed $callback
     */
    public function onError(callable $callback): static {}

    /**
     * Called with each HTTP request before its handler, in the same coroutine: for tracing, and for what each request needs, as a
     * `Coroutine\ContextValue`. It decides nothing: what it throws is logged, and the handler is called.
     *
     * @param callable(Http\Request): mixed $callback
     */
    public function onRequest(callable $callback): static {}

    /**
     * Called when the handler of an HTTP request has returned or thrown: for metrics and logs. A response that is kept may not
     * have ended by then.
     *
     * @param callable(Http\Request, Http\Response, float): mixed $callback the third argument is the seconds since the first
     *     onRequest() callback was called
     */
    public function onResponse(callable $callback): static {}

    /**
     * Serves until told to stop: SIGTERM drains and stops, SIGINT stops, SIGHUP or SIGUSR1 reloads.
     * Returns in the master only.
     *
     * @throws ServerException when an address cannot be listened on or the first boot of the workers fails
     */
    public function run(): void {}

    /** From a worker: sends a WebSocket message to every subscriber of a topic, wherever its connection is. */
    public function publish(string $topic, string $data, bool $binary = false): void {}

    /**
     * From a worker, in a coroutine: how many connections a message to the topic would reach, by its name or by a prefix.
     * The reactors are asked, and the coroutine waits for their answers; others may come and go meanwhile.
     *
     * @param float $timeoutSeconds 0 to 1e9. In base mode a worker that runs PHP answers when that waits or is done
     * @throws Coroutine\TimeoutException when not all have answered by then
     * @throws Coroutine\CancelledError
     */
    public function subscribers(string $topic, float $timeoutSeconds = 5.0): int {}

    /**
     * From a worker, in a coroutine: which connections those are, with what is attached to each (`WebSocket\Handshake::attach()`),
     * '' where nothing is. Who comes or goes meanwhile may be among them or not.
     *
     * @param int $limit 1 to 10,000
     * @param int $after only ids above this: for the next page, the last id of this one
     * @param float $timeoutSeconds as for subscribers()
     * @return array<int, string> by connection id, the lowest first
     * @throws Coroutine\TimeoutException when not all have answered by then
     * @throws Coroutine\CancelledError
     */
    public function listSubscribers(string $topic, int $limit = 1000, int $after = 0, float $timeoutSeconds = 5.0): array {}

    /** From a worker: asks the master to reload, as SIGHUP does. */
    public function reload(): void {}

    /** From a worker: asks the master to drain and stop, as SIGTERM does. */
    public function stop(): void {}

    /**
     * The addresses listened on, with the real port where 0 was asked for; known to workers.
     *
     * @return list<string>
     */
    public function addresses(): array {}

    public function stats(): Stats {}
}
