<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Dispatch;
use Sluice\Http as SluiceHttp;
use Sluice\Limits;
use Sluice\Listener;
use Sluice\Mode;
use Sluice\Server;
use Sluice\ServerException;
use Sluice\Service;
use Sluice\Tcp;
use Sluice\Udp;
use Sluice\WebSocket;
use Sluice\Worker;
use Swoole\Http;
use Swoole\Process;
use Swoole\Server as SwooleServer;
use Swoole\Server\Port;
use Swoole\WebSocket\Server as WebSocketServer;

/** Makes a server of Sluice from one of Swoole, and runs it. */
final class Starter
{
    private Server $engine;

    public function __construct(private readonly SwooleServer $server) {}

    public function run(): bool
    {
        $server = $this->server;
        if (!$this->check()) {
            return false;
        }
        $booted = KnownPorts::master();
        $server->master_pid = $booted ?: (int) \getmypid();
        if ($booted === 0) {
            KnownPorts::pass(\array_map(static fn(Port $port): int => $port->port, $server->ports));
        }
        if (\in_array(Options::int($server->setting, 'dispatch_mode'), [4, 5], true)) {
            Errors::warn('dispatch_mode 4 and 5 have no effect: a TCP connection or WebSocket has one worker, and a request goes to the one with the least to do');
        }
        $server->setting += ['worker_num' => Machine::processors(), 'task_worker_num' => 0, 'package_max_length' => 2 << 20];
        try {
            $this->engine = $this->build();
            $running = $server->running = new Running($server, $this->engine);
            foreach ($server->ports as $port) {
                $this->listen($port, $running);
            }
            $this->addProcesses($running);
            $this->engine->onWorkerStart($this->beginWorker(...));
            $this->engine->onWorkerStop($this->endWorker(...));
            $this->engine->run();
        } catch (ServerException $exception) {
            $server->running = null;
            return Errors::warn('failed to start server. Error: ' . $exception->getMessage(), 98);
        }
        $server->ended = true;
        $server->events->call('managerstop', $server);
        $server->events->call('shutdown', $server);
        $server->running = null;
        return true;
    }

    private function check(): bool
    {
        $server = $this->server;
        if (Options::int($server->setting, 'task_worker_num') > 0 && !$server->events->has('task')) {
            Errors::set(\SWOOLE_ERROR_SERVER_INVALID_CALLBACK);
            Errors::fatal('require onTask callback');
        }
        foreach ($server->ports as $port) {
            $events = $this->eventsOf($port);
            $needs = match (true) {
                $this->speaksWebSocket($port) => ['message'],
                $this->speaksHttp($port) => ['request'],
                $port->isDatagram() => ['packet'],
                default => ['receive'],
            };
            if (!$events->has(...$needs)) {
                Errors::set(\SWOOLE_ERROR_SERVER_INVALID_CALLBACK);
                Errors::fatal('require on' . \ucfirst($needs[0]) . ' callback');
            }
        }
        return true;
    }

    private function build(): Server
    {
        $setting = $this->server->setting;
        $package = $this->longestPackage();
        $reactors = \max(1, \min(64, Options::int($setting, 'reactor_num', (int) \ceil(Machine::processors() / 2))));
        $queued = \max(65536, Options::size($setting, 'socket_buffer_size', Options::size($setting, 'buffer_output_size', 16 << 20)), 2 * $package);
        $streams = Options::int($setting, 'http2_max_concurrent_streams');
        // Null: the engine's.
        $write = Options::float($setting, 'send_timeout') ?: null;
        $limits = new Limits(
            connections: \max(1, \min(1_000_000, Options::int($setting, 'max_connection', Options::int($setting, 'max_conn', 65536)))),
            arenaBytes: \max(256 << 20, 4 * $package * $reactors),
            queuedBytes: \min($queued, 4 << 30),
            highWaterBytes: \min(1 << 20, $queued),
            coroutines: \max(1, \min(1_000_000, Options::int($setting, 'max_coroutine', Options::int($setting, 'max_coro_num', 10000)))),
            shutdownSeconds: \max(0.1, Options::float($setting, 'max_wait_time', 10.0)),
            stallSeconds: 0.0,
            killSeconds: 0.0,
            queueSeconds: 0.0,
            http: new SluiceHttp\Limits(bodyBytes: \max($package, Options::size($setting, 'upload_max_filesize')), requestSeconds: 0.0, writeSeconds: $write),
            http2: $streams > 0 ? new \Sluice\Http2\Limits(concurrentStreams: $streams) : null,
            webSocket: new WebSocket\Limits(messageBytes: $package, idleSeconds: $this->idleSeconds($setting), writeSeconds: $write),
            tcp: new Tcp\Limits(messageBytes: $package, idleSeconds: $this->idleSeconds($setting), writeSeconds: $write),
        );
        $engine = new Server(
            mode: Mode::Process,
            workers: \max(1, \min(128, Options::int($setting, 'worker_num', 1))),
            reactors: $reactors,
            limits: $limits,
            pidFile: Options::string($setting, 'pid_file') ?: null,
            logFile: Options::string($setting, 'log_file') ?: null,
            temporaryFolder: Options::string($setting, 'upload_tmp_dir') ?: null,
        );
        $most = Options::int($setting, 'max_request');
        if ($most > 0) {
            $engine->recycle(requests: $most);
        }
        return $engine;
    }

    private function listen(Port $port, Running $running): void
    {
        $setting = ($port->setting ?? []) + $this->server->setting;
        $events = $this->eventsOf($port);
        if (isset($setting['dispatch_func']) && ($port->isDatagram() || $this->speaksHttp($port))) {
            Errors::warn('dispatch_func has no effect on datagrams, requests and WebSockets: they go to the worker with the least to do');
        }
        if ($port->isDatagram()) {
            if ($port->isUnix()) {
                throw new ServerException('datagrams of Unix sockets are not offered: use SWOOLE_SOCK_UNIX_STREAM or UDP');
            }
            $this->engine->udp($port->address(), new UdpBridge($running, $events, $port->port));
            return;
        }
        foreach ($port->addresses() as $address) {
            $listener = new Listener($address, tls: $port->ssl || Options::bool($setting, 'open_ssl') ? Certificates::of($setting) : null);
            if ($this->speaksHttp($port)) {
                $this->listenForHttp($port, $listener, $setting, $running);
                continue;
            }
            $bridge = new TcpBridge($running, $events, $port->port, Framings::cutter($setting));
            $this->engine->tcp($listener, Framings::of($setting), $bridge);
        }
    }

    /** @param array<string, mixed> $setting */
    private function listenForHttp(Port $port, Listener $listener, array $setting, Running $running): void
    {
        $events = $this->eventsOf($port);
        $bridge = new HttpBridge($events, $port->port, $setting);
        $compression = Options::bool($setting, 'http_compression', true);
        $minimum = Options::size($setting, 'http_compression_min_length', Options::size($setting, 'compression_min_length', 20));
        $level = Options::int($setting, 'http_compression_level', Options::int($setting, 'http_gzip_level', Options::int($setting, 'compression_level', 1)));
        $site = $this->engine->http($listener, $bridge, new SluiceHttp\Options(
            dispatch: Options::int($setting, 'dispatch_mode') === 2 ? Dispatch::Sticky : null,
            cancelOnDisconnect: false,
            compression: $compression ? new SluiceHttp\Compression([SluiceHttp\Encoding::Gzip, SluiceHttp\Encoding::Brotli, SluiceHttp\Encoding::Zstd], \max(0, $minimum), gzipLevel: \max(1, \min(9, $level))) : false,
            versions: Options::bool($setting, 'open_http2_protocol') ? SluiceHttp\Versions::Any : SluiceHttp\Versions::Http1,
            concurrency: $this->concurrency($setting),
        ));
        if (!$this->speaksWebSocket($port)) {
            return;
        }
        $handler = new WebSocketBridge($running, $events, $port->port, $setting);
        $protocol = Options::string($setting, 'websocket_subprotocol');
        $options = new WebSocket\Options(
            protocols: $protocol === '' ? [] : [$protocol],
            compression: Options::bool($setting, 'websocket_compression') ? new WebSocket\Compression() : null,
        );
        $site->webSocket('/{path...}', $handler, $options, handshake: $handler->handshake(...));
    }

    /** @param array<string, mixed> $setting */
    private function concurrency(array $setting): ?int
    {
        if (!Options::bool($setting, 'enable_coroutine', true)) {
            return 1;
        }
        $most = Options::int($setting, 'worker_max_concurrency');
        return $most > 0 ? \min($most, 100_000) : null;
    }

    private function addProcesses(Running $running): void
    {
        $server = $this->server;
        $tasks = Options::int($server->setting, 'task_worker_num');
        if ($tasks > 0) {
            $running->tasks = new Tasks($server, $this->engine, $tasks);
        }
        if ($server->events->has('start', 'managerstart')) {
            $this->engine->service('manager', function (Service $service) use ($server, $running): void {
                // Timers that the script has made before it serves go on here.
                $timers = Timers::$all;
                $running->enterProcess();
                if ($running->isFirst('timers')) {
                    Timers::adopt($timers);
                }
                $server->events->start('managerstart', [$server]);
                if ($running->isFirst('start')) {
                    $server->events->start('start', [$server]);
                }
                while ($service->wait(3600.0)) {
                }
            });
        }
        foreach ($server->processes as $number => $process) {
            $this->engine->service("process-$number", function (Service $service) use ($process, $running, $number, $tasks, $server): void {
                $running->enterProcess();
                $running->notePid(Options::int($server->setting, 'worker_num', 1) + $tasks + $number, $server->worker_pid);
                // What waits here at the server's end is ended, as SIGTERM ends the process there.
                $work = \Sluice\Coroutine\spawn(fn() => $this->runProcess($process));
                while ($service->wait(0.2) && (!$work->isDone() || \Sluice\Coroutine\stats()->live > 2)) {
                }
                $work->cancel();
                $work->await();
            });
        }
    }

    private function runProcess(Process $process): void
    {
        $process->enter();
        $process->call();
    }

    private function beginWorker(Worker $worker): void
    {
        $server = $this->server;
        $server->worker_id = $worker->id;
        $server->worker_pid = $worker->pid;
        $server->running?->enterProcess();
        if ($server->events->has('pipemessage') || isset($server->setting['dispatch_func'])) {
            $server->running?->inbox->open($worker->id);
        }
        if ($server->running?->tasks === null || $worker->id >= 0) {
            $server->running?->notePid($worker->id, $worker->pid);
        }
        if (!Options::bool($server->setting, 'enable_coroutine', true)) {
            Coroutines::hide();
        } elseif ($server->events->has('workerstart')) {
            Numbers::of(\Sluice\Coroutine\id());
        }
        $server->events->call('workerstart', $server, $worker->id);
    }

    private function endWorker(Worker $worker): void
    {
        if ($this->server->running !== null) {
            $this->server->running->status = \SWOOLE_WORKER_EXIT;
        }
        $this->server->events->call('workerexit', $this->server, $worker->id);
        $this->server->events->call('workerstop', $this->server, $worker->id);
        Timers::removeAll();
    }

    private function eventsOf(Port $port): Events
    {
        return $port->events->has(...Events::PORT) ? $port->events : $this->server->events;
    }

    private function speaksHttp(Port $port): bool
    {
        $setting = $port->setting ?? [];
        $events = $this->eventsOf($port);
        if (!$this->server instanceof Http\Server && $events->has('receive') && !$events->has('request', 'message')) {
            return false;
        }
        $isFirst = $port === $this->server->ports[0];
        $isDefault = $this->server instanceof Http\Server && !$this->speaksRaw($setting);
        return !$port->isDatagram() && (Options::bool($setting, 'open_http_protocol', $isDefault && ($isFirst || !$port->events->has('receive')))
            || Options::bool($setting, 'open_websocket_protocol') || Options::bool($setting, 'open_http2_protocol'));
    }

    /** @param array<string, mixed> $setting */
    private function speaksRaw(array $setting): bool
    {
        return Options::bool($setting, 'open_eof_check') || Options::bool($setting, 'open_eof_split') || Options::bool($setting, 'open_length_check')
            || Options::bool($setting, 'open_mqtt_protocol') || Options::bool($setting, 'open_redis_protocol');
    }

    private function speaksWebSocket(Port $port): bool
    {
        if (!$this->speaksHttp($port)) {
            return false;
        }
        $isDefault = $this->server instanceof WebSocketServer && !$port->events->has('request');
        return Options::bool($port->setting ?? [], 'open_websocket_protocol', $port === $this->server->ports[0] ? $this->server instanceof WebSocketServer : $isDefault);
    }

    private function longestPackage(): int
    {
        $longest = Options::size($this->server->setting, 'package_max_length', 2 << 20);
        foreach ($this->server->ports as $port) {
            $longest = \max($longest, Options::size($port->setting ?? [], 'package_max_length'));
        }
        return \max(65536, \min(1 << 30, $longest));
    }

    /** @param array<string, mixed> $setting */
    private function idleSeconds(array $setting): float
    {
        $idle = Options::float($setting, 'max_idle_time', Options::float($setting, 'heartbeat_idle_time'));
        return $idle > 0 ? $idle : 2 * \max(0.0, Options::float($setting, 'heartbeat_check_interval'));
    }
}
