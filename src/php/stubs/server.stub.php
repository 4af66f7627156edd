<?php

/** @generate-class-entries */

namespace Sluice;

/** Where client connections live. */
enum Mode: string
{
    /** Reactor threads in a process of their own hold every connection. A worker may die or be replaced at any time. */
    case Process = 'process';
    /** Each worker runs a reactor of its own: no message crosses processes, but a worker that ends closes its connections. */
    case Base = 'base';
}

/** How the server's processes write lines into its log: see `Server::log()`. */
enum LogFormat: string
{
    /** `2026-01-31 12:00:00.000 worker 0[4711] warning: text`, in local time. */
    case Text = 'text';
    /** An object of JSON (RFC 8259) a line: `time` (RFC 3339, UTC, milliseconds), `level`, `process`, `pid`, `message`. */
    case Json = 'json';
}

/** How much a line of the server's log matters. */
enum LogLevel: string
{
    case Info = 'info';
    case Warning = 'warning';
    case Error = 'error';
}

/** What became of a send. No case means that the client has read the bytes. */
enum Delivery
{
    /** Handed on, and nothing of this connection waits in front of it. */
    case Sent;
    /** Handed on, behind bytes that the client has not taken yet. */
    case Queued;
    /** Not handed on: the connection's queue is over `Limits::$queuedBytes`, or the ring to its reactor stayed full. */
    case Dropped;
    /** Not handed on: the connection is closed. */
    case Closed;
}

/** What becomes of a message for a slow client: one for which `Limits::$queuedBytes` would wait. */
enum SlowClient
{
    /**
     * The sending coroutine waits once more than `Limits::$highWaterBytes` wait for the client, until no more than
     * `Limits::$lowWaterBytes` do. A client that takes nothing for `Limits::$writeSeconds` is closed. A published message, and a
     * send outside of coroutines, cannot wait: it is dropped as with DropNewest.
     */
    case Wait;
    /** The message is not sent: `Delivery::Dropped`. */
    case DropNewest;
    /** The message is queued. The oldest messages that the client has not begun to receive are dropped to make room. */
    case DropOldest;
    /** The client is closed: `Delivery::Closed`. A WebSocket gets the close code 1013 once it reads again. */
    case Close;
}

/** Which worker gets a message. */
enum Dispatch
{
    /**
     * Each message goes to the worker with the fewest unfinished messages. The default of HTTP. In base mode, the worker that
     * holds a connection handles all of its messages.
     */
    case LeastBusy;
    /** All messages of a connection go to one worker, in order. WebSocket and TCP always work so. */
    case Sticky;
}

/** The server could not do what was asked: an address is in use, a call was made in the wrong process, a file cannot be opened. */
final class ServerException extends \RuntimeException
{
}

/**
 * Bounds of the whole server: memory, connections, coroutines, shutdown. `$http`, `$http2`, `$webSocket`, `$tcp` and `$udp` are
 * the bounds of protocols; a site, route or listener may be given others. The constructor checks all values: one that is out of
 * range is a ValueError that names the parameter, the value and what is allowed. docs/limits.md says what happens at each bound.
 *
 * No client gets all of `$arenaBytes`, `$temporaryFileBytes`, `$bodyStreams`, `$compressionBytes`, `$attachedTotalBytes`,
 * `$handshakes`, `$openFiles`, `$subscriptionBytes` and `$coroutines`: the last eighth is for clients that hold little. A client is
 * an IPv4 address, a /64 network of IPv6, or a connection whose address nobody knows.
 *
 * @strict-properties
 * @not-serializable
 */
final class Limits
{
    /**
     * Open connections in total; a further one is closed when it is accepted, unless one can be closed for it whose client has left, or
     * one of HTTP that has been idle for 5 s. 1 to 1,000,000, by default 65,536.
     */
    public readonly int $connections;
    /**
     * Open connections of one IPv4 address or one /64 network of IPv6; a further one is closed when it is accepted. Connections
     * of a listener's trusted proxies are not counted; the clients that they name by the PROXY protocol are. 0 to 1,000,000; 0,
     * the default: no limit.
     */
    public readonly int $connectionsPerAddress;
    /**
     * Connections that one IPv4 address or one /64 network of IPv6 opens within one second of the clock; a further one is closed
     * when it is accepted. 0 to 1,000,000; 0, the default: no limit.
     */
    public readonly int $connectionsPerAddressPerSecond;
    /**
     * The arena: shared memory for received messages and bodies of 8 KiB and more, all reactors together. While it is full, the
     * clients that need it are not read from. 1 MiB to 64 GiB, by default 256 MiB.
     */
    public readonly int $arenaBytes;
    /** Each ring of messages between one reactor and one worker; a power of two. 512 KiB to 64 MiB, by default 1 MiB. */
    public readonly int $ringBytes;
    /**
     * Shared memory of each worker for payloads of 16 KiB and more that it sends, until the clients have taken them or 50 ms have
     * passed. 1 MiB to 64 GiB, by default 64 MiB.
     */
    public readonly int $outBytes;
    /**
     * Bytes of received messages that one worker's PHP code may keep in shared memory after the handler has ended. Above it,
     * messages are copied. 0 to 64 GiB, by default 32 MiB.
     */
    public readonly int $lentBytes;
    /**
     * All temporary files of the server; above it the answer is 503, and to a body longer than seven eighths of it 413. 0 to
     * 16,384 GiB, by default 1 GiB; 0: no temporary files, bodies of any size are received into memory.
     */
    public readonly int $temporaryFileBytes;
    /**
     * Bodies that arrive while their handlers read them (`Http\Bodies::Stream`), all reactors together; above it
     * the answer is 503. 1 to 1,000,000, by default 1,000.
     */
    public readonly int $bodyStreams;
    /**
     * Bytes that may wait for one client; above it `SlowClient` decides. Of a UDP socket: bytes that may wait for the network. A
     * site, a route of WebSockets and a TCP listener may have another value. 64 KiB to 4 GiB, by default 16 MiB.
     */
    public readonly int $queuedBytes;
    /**
     * High-water mark: when more bytes would wait for a client, `Http\Response::write()` and sends with `SlowClient::Wait`
     * suspend their coroutine. A value above `$queuedBytes` counts as `$queuedBytes`. A site, a route of WebSockets and a TCP
     * listener may have another value. 1 KiB to 4 GiB, by default 1 MiB.
     */
    public readonly int $highWaterBytes;
    /**
     * Low-water mark: coroutines that `$highWaterBytes` has suspended go on when no more than this waits for the client. A site, a
     * route of WebSockets and a TCP listener may have another value. 0 to 4 GiB, at most `$highWaterBytes`, by default 256 KiB.
     */
    public readonly int $lowWaterBytes;
    /**
     * Memory in which bytes wait for clients, all connections together; a payload for many clients counts once. From half of it
     * on, sends to clients that are behind are dropped. When it is full, HTTP requests are begun only for clients that have
     * read everything, and the connections of those who have held most for longest are closed. 1 MiB to 64 GiB, by default 512 MiB.
     */
    public readonly int $queuedTotalBytes;
    /**
     * Memory for the contexts of WebSocket compression, all reactors together. When connections that keep a context between
     * messages hold half of it, new connections keep none. When it is full, received messages wait to be inflated and sent
     * messages are not compressed. 0 to 64 GiB, by default 64 MiB.
     */
    public readonly int $compressionBytes;
    /**
     * Data attached to one connection, by `WebSocket\Handshake::attach()` or a connection's `attach()`; above it they throw a
     * ValueError. 0 to 65,535, by default 4 KiB.
     */
    public readonly int $attachedBytes;
    /**
     * Data attached to all connections, in blocks that hold 252 bytes and take 256. Above it a handshake is answered with 503, and
     * a connection's `attach()` is `Dropped`. In base mode each worker has its share. 0 to 64 GiB, by default 64 MiB.
     */
    public readonly int $attachedTotalBytes;
    /**
     * Encoders of compressed HTTP responses, in each worker. Each response that is being streamed has one: at most 0.3 MiB for
     * gzip and, at the usual levels, 4 MiB for Brotli and Zstandard. Above it responses are sent uncompressed. 0 to 64 GiB, by
     * default 64 MiB.
     */
    public readonly int $encodingBytes;
    /**
     * Lines that wait to be written to one access log, in each process that has connections. Further lines are dropped, and the
     * server's log counts them. 4 KiB to 1 GiB, by default 1 MiB.
     */
    public readonly int $accessLogBytes;
    /**
     * WebSocket handshakes whose handler has not decided yet, all reactors together; a further one is answered with 503.
     * 1 to 1,000,000, by default 1,000.
     */
    public readonly int $handshakes;
    /**
     * Different files that are being sent, all reactors together. Each takes one descriptor, however many clients it goes to.
     * Above it the answer is 503. 1 to 1,000,000, by default 1,024.
     */
    public readonly int $openFiles;
    /**
     * Memory for the subscriptions of all WebSockets: some hundred bytes for each topic and 80 for each of its subscribers. Above
     * it `subscribe()` is `Dropped`. 0 to 64 GiB, by default 256 MiB.
     */
    public readonly int $subscriptionBytes;
    /**
     * Coroutines of one worker at a time: handlers that wait, and what they have spawned. A worker that has so many takes
     * no further message, and `Coroutine\spawn()` throws `Coroutine\LimitException`. Each coroutine takes a stack, and a stack takes
     * two of the mappings that the kernel's `vm.max_map_count` allows. 1 to 1,000,000, by default 10,000.
     */
    public readonly int $coroutines;
    /** Stacks that a worker keeps for its next coroutines; others are freed as coroutines end. 0 to 1,000,000, by default 256. */
    public readonly int $pooledStacks;
    /**
     * For a TLS handshake, or the header of the PROXY protocol, from the accept on; then the connection is closed. 0.001 to
     * 1,000,000 seconds, by default 10.
     */
    public readonly float $handshakeSeconds;
    /**
     * How long a client may take no byte of those that wait for it; then its connection is closed. A site, a route of WebSockets
     * and a TCP listener may have another value. 0.001 to 1,000,000 seconds, by default 30.
     */
    public readonly float $writeSeconds;
    /**
     * The least rate at which a client takes the bytes that wait for it. The connection of a client that is behind by what this
     * rate gives in `$writeSeconds` is closed. A site, a route of WebSockets and a TCP listener may have another value. 0 to
     * 1 GiB, by default 240; 0: no least rate.
     */
    public readonly int $writeBytesPerSecond;
    /**
     * For everything to end after SIGTERM, and for an old worker after a reload: requests and messages first, then spawned
     * coroutines. Coroutines that are left are cancelled, and have 3 s to clean up. 0.001 to 1,000,000 seconds, by default 10.
     */
    public readonly float $shutdownSeconds;
    /**
     * For the script to reach `Server::run()`, and for a worker's onWorkerStart() callbacks to return; a process that takes longer
     * is killed. 0.001 to 1,000,000 seconds, by default 60.
     */
    public readonly float $bootSeconds;
    /**
     * How long one call may hold a worker while its other coroutines wait: code that computes, or a C function that no hook
     * suspends. Above it the log says where the call stands, and `Stats::$stalls` counts it; the call goes on. 0 to 1,000,000
     * seconds, by default 1; 0: calls are not watched, for debuggers with breakpoints.
     */
    public readonly float $stallSeconds;
    /**
     * How long one call may hold a worker at most. Then an `Error` is thrown where the PHP code stands. A worker that is still held
     * 2 s later, in a C function or because its code catches everything, is killed and replaced.
     *
     * A handler of a WebSocket, TCP or UDP message that waits in one place for so long is cancelled there, if others wait for it
     * all the time: further messages of its connection, the connection's end, or, when all coroutines are in use, any message.
     * A TCP client that has closed its side, and gets nothing for so long while its last messages are handled, is cut off.
     *
     * A worker, a service or a process for one request that is stopped from outside (SIGSTOP) for so long in one go is killed, and
     * replaced as any that dies.
     *
     * 0 to 1,000,000 seconds, by default 60; 0: no limit, for debuggers with breakpoints.
     */
    public readonly float $killSeconds;
    /**
     * How long requests may wait for a worker. While every request that begins has waited longer, the server has more to do than it
     * can: for each request that comes, one is answered with 503 and `Retry-After`. It is the newest of the client that has most
     * waiting by what its requests have cost, so a client that asks for little is not concerned. 0 to 1,000,000 seconds, by default 10; 0: requests wait for
     * `Http\Limits::$requestSeconds`, however many they are.
     */
    public readonly float $queueSeconds;
    /** Bounds of HTTP requests, where a site or route is not given its own. */
    public readonly Http\Limits $http;
    /** Bounds of HTTP/2 connections, where a site is not given its own. */
    public readonly Http2\Limits $http2;
    /** Bounds of WebSockets, where a route is not given its own. */
    public readonly WebSocket\Limits $webSocket;
    /** Bounds of TCP connections, where a listener is not given its own. */
    public readonly Tcp\Limits $tcp;
    /** Bounds of UDP, where a listener is not given its own. */
    public readonly Udp\Limits $udp;

    /** @throws \ValueError for a value that is out of range, or does not fit another limit */
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
        float $queueSeconds = 10.0,
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
    /** 0 to the number of workers - 1. While a reload overlaps, an old and a new worker share one id. */
    public readonly int $id;
    /** The process id. */
    public readonly int $pid;
    /** The number of the script's boot that this worker runs: 1 for the first. A boot that fails takes a number as well. */
    public readonly int $generation;

    private function __construct() {}

    /** The current worker; null outside of a worker. */
    public static function current(): ?Worker {}

    /**
     * Whether this worker is to end, because of a reload, `recycle()` or the server's stop: no new requests come to it. What has begun, and
     * spawned coroutines, may go on for the rest of `Limits::$shutdownSeconds`. A loop in the background asks here whether to go on. Outside of
     * a worker: false.
     */
    public static function isStopping(): bool {}

    /**
     * Waits until this worker is to end, as `isStopping()` tells. A stream of events, or another handler that could go on for ever, waits here
     * between two pieces of work, and ends when the worker does: a reload need not wait for it.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: no limit
     * @return bool true: the worker is to end; false: the time was over first
     * @throws \ValueError when $timeout is out of range
     * @throws ServerException outside of a worker
     * @throws Coroutine\CancelledError
     * @throws \Error when it has to wait outside of a coroutine
     */
    public static function waitForEnd(?float $timeout = null): bool {}

    /**
     * Asks for another worker in place of this one, for code that must begin anew, as `Server::recycle()` does at its bounds: this one ends what it
     * has begun once the other is ready. `isStopping()` tells when that is. A further call does nothing.
     *
     * @throws ServerException outside of a worker
     */
    public static function replace(): void {}

    /** Bytes of received messages in shared memory that this worker's code holds (`Limits::$lentBytes`). Outside of a worker: 0. */
    public static function lentBytes(): int {}
}

/**
 * A process of the application's own beside the workers: see `Server::service()`.
 *
 * @strict-properties
 * @not-serializable
 */
final class Service
{
    public readonly string $name;
    /** The number of this process within its service: 0 to `$processes` of `Server::service()` - 1. */
    public readonly int $id;
    public readonly int $pid;
    /** As `Worker::$generation`. */
    public readonly int $generation;

    private function __construct() {}

    /** The service of this process; null in other processes. */
    public static function current(): ?Service {}

    /**
     * Whether this process is to end, because the server stops or a reload replaces the service. Its coroutines have `Limits::$shutdownSeconds`
     * to finish. A loop calls this to decide whether to go on.
     */
    public static function isStopping(): bool {}

    /**
     * Suspends the coroutine, and resumes it early when the service is to end. `while ($service->wait(10)) …` does something every ten seconds.
     *
     * @param float $seconds 0 to 1e9
     * @return bool false when the service is to end
     * @throws Coroutine\CancelledError
     */
    public function wait(float $seconds): bool {}
}

/**
 * Figures of the whole server, read from shared memory at the moment of the call.
 *
 * @strict-properties
 * @not-serializable
 */
final class Stats
{
    /** Connections that are open. */
    public readonly int $connections;
    /** Bytes of the arena that are in use: messages that are being received, wait for a worker, or are lent to one. */
    public readonly int $arenaBytes;
    /** Bytes of received messages that the PHP code of all workers holds. */
    public readonly int $lentBytes;
    /** Bytes of WebSocket compression contexts: in use, kept ready, or reserved; see `Limits::$compressionBytes`. */
    public readonly int $compressionBytes;
    /** Bytes of the blocks that hold the data attached to connections. */
    public readonly int $attachedBytes;
    /** Bytes of topics and subscriptions, as `Limits::$subscriptionBytes` counts them. */
    public readonly int $subscriptionBytes;
    /** Bytes that wait in memory for clients; see `Limits::$queuedTotalBytes`. A payload for many clients counts once. */
    public readonly int $queuedBytes;
    /** Bytes reserved for temporary files: bodies and uploads that are being received, or that handlers hold. */
    public readonly int $temporaryFileBytes;
    /** Bodies that arrive while their handlers read them; see `Limits::$bodyStreams`. */
    public readonly int $bodyStreams;
    /** WebSocket handshakes whose handler has not decided yet. */
    public readonly int $handshakes;
    /** Different files that are being sent; see `Limits::$openFiles`. */
    public readonly int $openFiles;
    /** Requests, messages and datagrams that have been handed to workers. */
    public readonly int $messagesReceived;
    /** Bytes that have been read from sockets. */
    public readonly int $bytesReceived;
    /** Bytes that have been written to sockets. */
    public readonly int $bytesSent;
    /** Coroutines of all workers: handlers, timers and what they have spawned, running, waiting or about to begin. */
    public readonly int $coroutines;
    /** Fibers with stacks that all workers keep for their next coroutines. */
    public readonly int $pooledStacks;
    /** The most coroutines that any one worker has had at a time. */
    public readonly int $peakCoroutines;
    /** Calls that have held a worker longer than `Limits::$stallSeconds`, since the server's start. */
    public readonly int $stalls;
    /** UDP datagrams that found no worker, no memory, no room in the kernel or no network to take them, since the server's start. */
    public readonly int $datagramsDropped;
    /** Workers that are ready, those included that a reload lets finish. */
    public readonly int $workers;
    /** Processes of services and of pools for tasks that are ready, those included that a reload lets finish. */
    public readonly int $services;
    /** How often processes of services and pools were started again after they had ended, since the server's start. The log says which. */
    public readonly int $serviceRestarts;

    private function __construct() {}

    /**
     * The figures of a running server, for a process that is none of its own: a tool that watches the server.
     *
     * @param int $pid the process id of the master, as in the pid file
     * @throws ServerException when no server of this version runs as that process, or this process may not look at it
     */
    public static function ofServer(int $pid): Stats {}
}

/**
 * Figures of one worker that is ready.
 *
 * @strict-properties
 * @not-serializable
 */
final class WorkerStats
{
    /** As `Worker::$id`. */
    public readonly int $id;
    public readonly int $pid;
    /** As `Worker::$generation`. */
    public readonly int $generation;
    /** Requests, messages and datagrams that the worker has begun to handle. */
    public readonly int $handled;
    /** Handlers that have begun and not ended. */
    public readonly int $inFlight;
    /** Handlers that wait until another one has ended, by `Http\Options::$concurrency`. */
    public readonly int $waiting;
    /** Coroutines: handlers, timers and what they have spawned. */
    public readonly int $coroutines;

    private function __construct() {}

    /**
     * The workers of a running server, those included that a reload lets finish; ordered by generation and id.
     *
     * @param int $pid the process id of the master, as in the pid file
     * @return list<WorkerStats>
     * @throws ServerException when no server of this version runs as that process, or this process may not look at it
     */
    public static function ofServer(int $pid): array {}
}

/**
 * One server: any number of listeners, each with a handler, served by worker processes.
 *
 * Create it, add its listeners, then call run(). What stands before run() is executed once per boot. Handlers and callbacks run
 * in the workers.
 *
 * @strict-properties
 * @not-serializable
 */
final class Server
{
    /**
     * @param int|null $workers worker processes, 1 to 128; null: one per CPU
     * @param int|null $reactors native threads that hold the connections in process mode, 1 to 64. The share of
     *     `Limits::$arenaBytes` that each gets must hold two of the longest messages; null: half the CPUs, at least 1
     * @param string|null $pidFile the master writes its process id to this file, and locks it while it runs; null: no file
     * @param string|null $logFile every process appends to this file; null: standard error
     * @param string|null $temporaryFolder for bodies longer than `Http\Limits::$bodyFileBytes`, in unlinked files;
     *     null: sys_get_temp_dir()
     * @param int|null $maxWorkers in process mode: a worker is added while messages wait and all workers are busy, up to this number. It is
     *     removed when two workers have been idle for 10 s, down to $workers. Messages that wait for one worker stay with it; new ones go to the added one.
     *     $workers to 128; null: $workers
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
        ?int $maxWorkers = null,
    ) {}

    /**
     * Serves HTTP. Routes and WebSockets are added to the site that it returns, and are served on the site's port.
     *
     * @param string|Listener $address `127.0.0.1:8080`, `unix:/run/app.sock`, or a Listener, which adds TLS, trusted proxies and
     *     the permissions of a Unix socket
     * @param (callable(Http\Request, Http\Response): mixed)|Http\Handler|null $handler gets the requests that no route matches. Its
     *     return value is ignored. null: the answer is 404
     * @param Http\Options|null $options how requests are handled, by routes without options of their own too
     * @param Http\Limits|null $limits bounds of requests, and the defaults of the site's routes; null, and properties that are
     *     null: `Limits::$http`
     * @param Http2\Limits|null $http2 bounds of HTTP/2 connections; null, and properties that are null: `Limits::$http2`
     * @throws \ValueError when an argument is invalid, or the address has a listener already
     * @throws ServerException after run()
     */
    public function http(
        string|Listener $address,
        callable|Http\Handler|null $handler = null,
        ?Http\Options $options = null,
        ?Http\Limits $limits = null,
        ?Http2\Limits $http2 = null,
    ): Http\Site {}

    /**
     * Serves TCP with messages cut by a framing.
     *
     * @param string|Listener $address `127.0.0.1:4000`, `unix:/run/app.sock`, or a Listener, which adds TLS, trusted proxies and
     *     the permissions of a Unix socket
     * @param (callable(Tcp\Connection, string): mixed)|Tcp\Handler $handler a callable gets the messages
     * @param Tcp\Limits|null $limits null, and properties that are null: `Limits::$tcp`
     * @param SlowClient $slowClient what send() does when the client does not read. Not `DropOldest`, which would leave a
     *     hole in the stream
     * @throws \ValueError when an argument is invalid, or the address has a listener already
     * @throws ServerException after run()
     */
    public function tcp(
        string|Listener $address,
        Tcp\Framing $framing,
        callable|Tcp\Handler $handler,
        ?Tcp\Limits $limits = null,
        SlowClient $slowClient = SlowClient::Wait,
    ): void {}

    /**
     * Serves UDP: each datagram is handled by itself, by the worker that is least busy. A datagram is dropped when all workers
     * are too far behind (`Udp\Limits::$datagrams`); `Stats::$datagramsDropped` counts it. The sender's address can be forged: an
     * answer that is longer than its question lets an attacker flood others.
     *
     * @param string $address `127.0.0.1:5353`; no Unix socket. It may be the address of an HTTP or TCP listener. On a host with
     *     several addresses name the one that clients use: behind `0.0.0.0` answers leave by the address that the kernel chooses
     * @param (callable(Udp\Peer, string): mixed)|Udp\Handler $handler
     * @param Udp\Limits|null $limits null, and properties that are null: `Limits::$udp`
     * @throws \ValueError when an argument is invalid, or the address has a UDP listener already
     * @throws ServerException after run()
     */
    public function udp(string $address, callable|Udp\Handler $handler, ?Udp\Limits $limits = null): void {}

    /**
     * Replaces workers that have reached one of these bounds: for applications whose memory grows, or whose connections to other
     * servers should not grow old. The old worker ends what it has begun once a new one is ready; requests notice nothing.
     * WebSockets and TCP connections stay open in process mode; in base mode they live in the worker, and its end closes them. Up
     * to a tenth is added to $requests and $seconds at random, so that workers do not leave together. A further call replaces all
     * bounds.
     *
     * @param int|null $requests requests, messages and datagrams that a worker handles, 1 to 1e15; null: any number
     * @param float|null $seconds since the worker began to serve, 1 to 1e9; null: for ever
     * @param int|null $memoryBytes memory of PHP after a message has been handled, without garbage, 1 MiB to 1 TiB; null: up to
     *     `memory_limit`
     * @throws \ValueError for a value that is out of range
     * @throws ServerException after run()
     */
    public function recycle(?int $requests = null, ?float $seconds = null, ?int $memoryBytes = null): static {}

    /**
     * Gives up root's rights: once the listeners are open, the reactor, the generations and the workers run as this user, with this
     * group and the user's supplementary groups. The master stays as it was started, so that a reload can open ports below 1024. The script
     * up to `run()` has the rights of the start, in each boot. The log file and Unix sockets get the user as their owner. Access logs, keys of TLS
     * and crash reports have to be accessible to the user. Without root the only user and group allowed are those of the start.
     *
     * @param string $user a name, such as `www-data`
     * @param string|null $group a name; null: the user's own group
     * @param int|null $umask of all processes, the master included, 0 to 0777; null: that of the start
     * @throws \ValueError for a user or group that the system does not know, and a mask out of range
     * @throws ServerException after run()
     */
    public function runAs(string $user, ?string $group = null, ?int $umask = null): static {}

    /**
     * What the server's log looks like, in all processes. A line that comes again and again is written five times within a second; the
     * others are counted, and the count is written. A reload applies a change to the new workers only; the master and the reactor keep theirs until a restart.
     *
     * @param LogLevel $least lines below it are not written
     * @throws ServerException after run()
     */
    public function log(LogFormat $format = LogFormat::Text, LogLevel $least = LogLevel::Info): static {}

    /**
     * Writes a file for each process of the server that crashes (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT), beside the lines in the log: the signal, the
     * version and build id, native frames, where PHP stands, for which request, and what other coroutines wait for.
     *
     * @param string $folder exists, and files can be made there
     * @throws \ValueError for another folder
     * @throws ServerException after run()
     */
    public function crashReports(string $folder): static {}

    /**
     * Reloads when files in these folders have changed, and then none has for `$quietSeconds`. For development; a deployment sends
     * SIGHUP when all of its files are there. Folders that are made later are watched, names that begin with a dot are not, and
     * symbolic links are followed. When the changed script fails, the log shows its error, and the old one serves until the next
     * change. A further call replaces the paths and names.
     *
     * @param list<string> $paths folders and single files
     * @param list<string> $names which files in folders count, as patterns with `*`, `?` and `[…]`
     * @param float $quietSeconds 0.01 to 60. After a boot that has itself changed such files it is doubled, up to 10 seconds
     * @throws \ValueError when an argument is invalid
     * @throws ServerException after run()
     */
    public function watch(array $paths, array $names = ['*.php'], float $quietSeconds = 0.1): static {}

    /**
     * Tries out each later reload before it takes over: its workers first get a share of the requests beside the old ones. The
     * reload is refused when they are worse over that time: more requests have failed (a status from 500) or had no answer, or the
     * 99th percentile of the time to the first byte is higher, by more than chance explains; or when one of them ends. The log says why, with
     * the figures. WebSockets, TCP, UDP and sites with `Dispatch::Sticky` stay with the old workers until it has taken over. What
     * the new script asks for here holds for its own reload.
     *
     * @param float $seconds how long, 0.1 to 3,600
     * @param float $share of the requests, 0.001 to 0.5
     * @throws \ValueError when an argument is invalid
     * @throws ServerException after run(), and in base mode, where the kernel chooses the worker of each connection
     */
    public function canary(float $seconds = 10.0, float $share = 0.05): static {}

    /**
     * Opens the admin listener: metrics, health and a dashboard, over HTTP, from a process of its own that answers whatever the workers do. Its
     * paths stand in docs/guides/observe.md. A reload does not change it. A further call replaces the address and the token.
     *
     * @param string $address `127.0.0.1:9400`, `[::1]:9400` or `unix:/run/app-admin.sock`, which has the permissions 0600. Port 0 takes a free one,
     *     which the banner shows
     * @param string|null $token demanded of every request, as `Authorization: Bearer …` (RFC 6750): 16 to 512 letters, digits and `-._~+/=`. null: whoever
     *     reaches the listener may look, and nobody may reload or stop the server
     * @throws \ValueError when the address is not valid, or not one of this machine's own (127.0.0.0/8, ::1, a Unix socket) and there is no token; when the
     *     token is not valid
     * @throws ServerException after run()
     */
    public function admin(string $address, ?string $token = null): static {}

    /**
     * Adds a check of the application's own to the admin listener's `/readyz`: whether clients may come. It is called in a worker, in a
     * coroutine, when workers start and then once in an interval, and not when somebody asks: the admin listener answers at once with
     * what was found last, and its reason. Without such an answer for two intervals, `$timeout` and a second, the server is not ready.
     *
     * @param string $name 1 to 63 letters, digits, `.`, `_` and `-`; not `booted`, `workers` or `draining`
     * @param callable(): mixed $check returns false, or a sentence, or throws, when the server is not ready; anything else: it is ready.
     *     The sentence or message is shown to whoever may ask, up to 255 bytes
     * @param float $timeout 0.001 to 60 seconds: then the server is not ready, and the check is cancelled
     * @param float $interval 0.1 to 3,600 seconds
     * @throws \ValueError when an argument is invalid, there is a check of this name, or are 16 already
     * @throws ServerException after run()
     */
    public function readiness(string $name, callable $check, float $timeout = 2.0, float $interval = 5.0): static {}

    /**
     * Sends a span of each sampled request, and spans below it for the wait for a worker, the handler and what that waits for, to a collector of
     * OpenTelemetry: OTLP over HTTP as protobuf, from the process of the admin listener, which needs not be there. A caller's decision
     * (the flag `sampled` of `traceparent`) is followed; where there is none, the trace's id decides. A reload does not change it.
     *
     * What is not given OpenTelemetry's environment variables say, by its "Environment Variable Specification": what is not valid there
     * is passed over with a warning. The resource has the attributes of OTEL_RESOURCE_ATTRIBUTES.
     *
     * @param string|null $endpoint `http://127.0.0.1:4318/v1/traces`; without a port 4318. null: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or
     *     OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/traces`; without them, and with OTEL_SDK_DISABLED=true, nothing is sent
     * @param float|null $ratio of the requests whose caller has not decided, 0 to 1. null: OTEL_TRACES_SAMPLER (`always_on`, `always_off`,
     *     `traceidratio`, each of them also with `parentbased_` before it) with OTEL_TRACES_SAMPLER_ARG, or all such requests. Samplers without
     *     `parentbased_` do not follow callers
     * @param string|null $service `service.name`, not empty; null: OTEL_SERVICE_NAME, or that of OTEL_RESOURCE_ATTRIBUTES, or `unknown_service:php`
     * @param array<string, string> $headers of each message to the collector, such as an API key, beside those of
     *     OTEL_EXPORTER_OTLP_TRACES_HEADERS, or OTEL_EXPORTER_OTLP_HEADERS; one of the same name comes instead
     * @throws \ValueError for an endpoint that is no URL of http, a ratio out of range, an empty service, and a header that is not valid
     * @throws ServerException after run()
     */
    public function tracing(?string $endpoint = null, ?float $ratio = null, ?string $service = null, array $headers = []): static {}

    /**
     * For development and tests: finds what requests leave behind in their worker. After each request or message the worker compares what it
     * keeps with what it kept before, and writes one sentence to the log for each place where something has grown or stayed. Compared are
     * static properties, static variables of functions, global variables, superglobals and variables bound by handlers, with all
     * values that can be reached from them; settings such as those of `ini_set()`; registered handlers; output buffers; open transactions; descriptors;
     * timers and coroutines; memory. A worker tells each place once, with the line that has assigned it, where that is known. Services in the containers of Symfony and
     * Laravel have their ids. With leak detection a worker handles one message at a time, and PHP's JIT is off. Comparing 100,000 values takes 4 ms when they are integers of one array, and 20 ms when they are properties of
     * objects. A further call replaces the arguments.
     *
     * @param (callable(Leak): mixed)|null $report called with each leak, outside of coroutines
     * @param list<string> $ignore places that are not told, as patterns with `*` and `?`, such as `App\Metrics::$counts*` and `the service "cache.*"*`
     * @param int $warmUp how many requests with the same method and path may change things before a change counts as a leak: the first requests make
     *     services, connections and caches. A place that 20 requests have changed is told in any case. 0 to 1,000,000
     * @throws \ValueError when an argument is invalid
     * @throws ServerException after run(), and with `opcache.file_cache`
     */
    public function detectLeaks(?callable $report = null, array $ignore = [], int $warmUp = 2): static {}

    /**
     * Runs a function in processes of its own beside the workers: for queue consumers, clocks, and other work without a request. The processes are forked
     * from the booted script, as workers are. Services get no messages, and onWorkerStart() is not called there. Coroutines, timers, topics, `Shared\…` and sending
     * to connections work as in a worker.
     *
     * The process ends when the function has returned and no coroutine or timer is left, or when the function throws. The server restarts an ended process after
     * 100 ms, and after up to 10 s when it ends within a second again and again. During a reload the new script's service starts when the old one has ended,
     * so that the two never overlap.
     *
     * When the server stops, and during a reload, the service is told to end: see `Service::isStopping()`. After `Limits::$shutdownSeconds` its coroutines
     * are cancelled; three seconds later the process is killed.
     *
     * @param string $name 1 to 64 letters, digits, `.`, `_` and `-`; no other service has it
     * @param callable(Service): mixed $run
     * @param int $processes 1 to 64; all services and pools of the server together have at most 64
     * @throws \ValueError
     * @throws ServerException after run()
     */
    public function service(string $name, callable $run, int $processes = 1): static {}

    /**
     * Makes a pool of processes for tasks that compute, and would hold a worker. The processes are forked from the booted script before the workers, and stay for as long
     * as a worker or a service of that boot may ask them, also during reloads and while the server stops.
     *
     * @param callable(): array<string, callable> $boot called in each process as it begins: returns the tasks by name; a reload fails when this fails; each task gets the payload of `TaskPool::run()`
     * @param int|null $workers processes, 1 to 63, one task at a time in each; null: as many as processors, up to 16
     * @param int $queue tasks that may wait, 0 to 1,000,000; further tasks are refused by a `TaskRefusedException`
     * @param float $graceSeconds how long a task that nobody waits for any more may go on until it is killed, 0 to 1e9
     * @param string $name of the processes in the log and in `ps`: 1 to 58 letters, digits, `.`, `_` and `-`; no service or other pool has it
     * @throws \ValueError
     */
    public function tasks(callable $boot, ?int $workers = null, int $queue = 1000, float $graceSeconds = 2.0, string $name = 'tasks'): TaskPool {}

    /**
     * Called in each worker before its first message, in a coroutine. Several callbacks are called in turn.
     *
     * @param callable(Worker): mixed $callback
     * @throws ServerException after run()
     */
    public function onWorkerStart(callable $callback): static {}

    /**
     * Called in each worker after its last message, when all coroutines have ended or been cancelled. Not called in a worker that
     * is killed.
     *
     * @param callable(Worker): mixed $callback
     * @throws ServerException after run()
     */
    public function onWorkerStop(callable $callback): static {}

    /**
     * Called with each exception that is logged because nobody has caught it: for error trackers. The second argument is the
     * request when an HTTP handler or a handler of WebSocket handshakes has thrown; it is null for other handlers, timers and
     * spawned coroutines. The client has been answered before, so the callback may wait. Several callbacks are called in turn; an
     * exception of a callback is logged.
     *
     * @param callable(\Throwable, Http\Request|null): mixed $callback
     * @throws ServerException after run()
     */
    public function onError(callable $callback): static {}

    /**
     * Called with each HTTP request before its handler, in the handler's coroutine: for tracing, and for a value that belongs to
     * the request (`Coroutine\ContextValue`). It cannot refuse the request: an exception is logged, and the handler is called.
     *
     * @param callable(Http\Request): mixed $callback
     * @throws ServerException after run()
     */
    public function onRequest(callable $callback): static {}

    /**
     * Called when the handler of an HTTP request has returned or thrown: for metrics and logs. A response that the handler has
     * kept may not have ended yet.
     *
     * @param callable(Http\Request, Http\Response, float): mixed $callback the third argument is the seconds since the first
     *     onRequest() callback was called
     * @throws ServerException after run()
     */
    public function onResponse(callable $callback): static {}

    /**
     * Serves until it is told to stop. SIGTERM drains and stops, SIGINT stops, SIGHUP and SIGUSR1 reload. It returns in the master
     * only.
     *
     * @throws ServerException when an address cannot be listened on, the first boot of the workers fails, there is no listener,
     *     or run() was called before
     */
    public function run(): void {}

    /**
     * Sends a WebSocket message to every subscriber of a topic, whichever worker or reactor holds its connection.
     *
     * @param string $topic 1 to 255 bytes
     * @throws \ValueError for a topic of another length, and when $binary is false and $data is not UTF-8
     * @throws ServerException outside of a worker
     * @throws Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function publish(string $topic, string $data, bool $binary = false): void {}

    /**
     * How many WebSockets a message to the topic would reach, whether they have subscribed to it by name or by a prefix. The
     * coroutine waits for the answers of all reactors; connections may come and go meanwhile.
     *
     * @param string $topic 1 to 255 bytes
     * @param float $timeoutSeconds 0 to 1e9. In base mode a worker that runs PHP code answers when the code waits or ends
     * @throws \ValueError when an argument is out of range
     * @throws ServerException outside of a worker, and outside of coroutines
     * @throws Coroutine\TimeoutException when not all reactors have answered in time
     * @throws Coroutine\CancelledError
     */
    public function subscribers(string $topic, float $timeoutSeconds = 5.0): int {}

    /**
     * Which WebSockets a message to the topic would reach, with the data attached to each (`WebSocket\Handshake::attach()`), ''
     * where none is. The coroutine waits for the answers of all reactors. A connection that comes or goes meanwhile may be missing.
     *
     * @param string $topic 1 to 255 bytes
     * @param int $limit how many connections at most, 1 to 10,000
     * @param int $after only ids above this: for the next page, the last id of the page before
     * @param float $timeoutSeconds 0 to 1e9. In base mode a worker that runs PHP code answers when the code waits or ends
     * @return array<int, string> attached data by connection id, the lowest id first
     * @throws \ValueError when an argument is out of range
     * @throws ServerException outside of a worker, and outside of coroutines
     * @throws Coroutine\TimeoutException when not all reactors have answered in time
     * @throws Coroutine\CancelledError
     */
    public function listSubscribers(string $topic, int $limit = 1000, int $after = 0, float $timeoutSeconds = 5.0): array {}

    /**
     * Asks the master to reload, as SIGHUP does.
     *
     * @throws ServerException outside of a worker
     */
    public function reload(): void {}

    /**
     * Asks the master to drain and stop, as SIGTERM does.
     *
     * @throws ServerException outside of a worker
     */
    public function stop(): void {}

    /**
     * The addresses that the server listens on; a port 0 has been replaced by the real port.
     *
     * @return list<string>
     * @throws ServerException outside of a worker
     */
    public function addresses(): array {}

    /**
     * Figures of the whole server, from the moment of the call.
     *
     * @throws ServerException outside of a worker
     */
    public function stats(): Stats {}
}
