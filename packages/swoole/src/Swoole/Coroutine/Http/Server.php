<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http;

use Sluice\Swoole\Options;
use Sluice\Swoole\RequestParser;
use Sluice\Swoole\SocketAnswer;
use Sluice\Swoole\SocketServer;
use Swoole\Coroutine\Socket;
use Swoole\Http\Request;
use Swoole\Http\Response;

class Server
{
    public string $host = '';
    public int $port = 0;
    public int $fd = -1;
    public bool $ssl = false;
    public int $errCode = 0;
    public string $errMsg = '';
    /** @var array<string, mixed>|null */
    public ?array $settings = null;
    /** @var array<string, callable> */
    private array $handlers = [];
    private readonly SocketServer $server;
    private static int $last = 0;

    public function __construct(string $host, int $port = 0, bool $ssl = false, bool $reuse_port = false)
    {
        $this->ssl = $ssl;
        $this->server = new SocketServer($host, $port, $reuse_port);
        $this->host = $host;
        $this->port = $this->server->port;
        $this->fd = $this->server->socket->fd;
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): bool
    {
        Options::check('Swoole\Coroutine\Http\Server::set', $settings, ['open_websocket_ping_frame' => ''] + Options::SERVER);
        $this->settings = $settings + ($this->settings ?? []);
        return true;
    }

    public function handle(string $pattern, callable $callback): bool
    {
        $this->handlers[$pattern] = $callback;
        return true;
    }

    public function start(): bool
    {
        $done = $this->server->serve($this->serve(...));
        $this->errCode = $this->server->errCode;
        $this->errMsg = $this->errCode === 0 ? '' : \swoole_strerror($this->errCode);
        return $done;
    }

    public function shutdown(): void
    {
        $this->server->end();
    }

    private function serve(Socket $socket): void
    {
        if ($this->ssl) {
            $socket->setProtocol(\array_filter($this->settings ?? [], static fn(string $name): bool => \str_starts_with($name, 'ssl_'), \ARRAY_FILTER_USE_KEY));
            if (!$socket->sslHandshake()) {
                $socket->close();
                return;
            }
        }
        $rest = '';
        $longest = Options::size($this->settings ?? [], 'package_max_length', 2 << 20);
        do {
            $parser = new RequestParser();
            $received = $this->receive($socket, $parser, $rest, $longest);
            if ($received !== '') {
                $socket->sendAll($received);
                break;
            }
            if (!$parser->isCompleted()) {
                break;
            }
            $answer = new SocketAnswer($socket, $parser, $this->compressFrom(), $rest, $longest, $this->settings ?? []);
            $this->answer($socket, $parser, $answer);
        } while ($answer->goesOn() && !$socket->isClosed());
        if (!$socket->isClosed()) {
            $socket->close();
        }
    }

    private function compressFrom(): ?int
    {
        $settings = $this->settings ?? [];
        $minimum = Options::size($settings, 'http_compression_min_length', Options::size($settings, 'compression_min_length', 20));
        return Options::bool($settings, 'http_compression', true) ? \max(0, $minimum) : null;
    }

    /** Reads a request; gives what to answer when that is none. */
    private function receive(Socket $socket, RequestParser $parser, string &$rest, int $longest): string
    {
        $size = 0;
        for ($data = $rest === '' ? $socket->recv(65536, -1) : $rest; ; $data = $socket->recv(65536, -1)) {
            $rest = '';
            if ($data === false || $data === '') {
                return '';
            }
            $size += \strlen($data);
            $used = $parser->feed($data);
            if ($used === false) {
                return "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
            }
            if ($size > $longest + 65536) {
                return "HTTP/1.1 413 Request Entity Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
            }
            if ($parser->isCompleted()) {
                $rest = \substr($data, $used);
                return '';
            }
        }
    }

    private function answer(Socket $socket, RequestParser $parser, SocketAnswer $answer): void
    {
        $number = ++self::$last;
        $request = Request::parsed($parser, $number);
        $peer = $socket->getpeername();
        $request->server['remote_addr'] = $peer['address'] ?? '';
        $request->server['remote_port'] = $peer['port'] ?? 0;
        $request->server['server_port'] = $this->port;
        $own = $socket->getsockname();
        $request->server['server_addr'] = $own['address'] ?? '';
        $response = Response::with($answer, $number);
        $handler = $this->handlerOf(\explode('?', $parser->target(), 2)[0]);
        if ($handler === null) {
            $response->status(404);
            $response->end('');
            return;
        }
        $handler($request, $response);
        unset($response);
        if (!$answer->isEnded()) {
            $answer->abandon();
        }
    }

    private function handlerOf(string $path): ?callable
    {
        $found = null;
        $longest = -1;
        foreach ($this->handlers as $pattern => $handler) {
            if (\strlen($pattern) > $longest && \str_starts_with($path, $pattern)) {
                $found = $handler;
                $longest = \strlen($pattern);
            }
        }
        return $found;
    }
}
