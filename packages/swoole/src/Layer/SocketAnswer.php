<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Coroutine\Socket;
use Swoole\WebSocket\Frame;

/** The answer to a request on a socket of a coroutine, by HTTP/1.1. */
final class SocketAnswer implements Answer
{
    private const REASONS = [
        200 => 'OK', 201 => 'Created', 202 => 'Accepted', 204 => 'No Content', 206 => 'Partial Content', 301 => 'Moved Permanently', 302 => 'Found', 303 => 'See Other',
        304 => 'Not Modified', 307 => 'Temporary Redirect', 308 => 'Permanent Redirect', 400 => 'Bad Request', 401 => 'Unauthorized', 403 => 'Forbidden',
        404 => 'Not Found', 405 => 'Method Not Allowed', 413 => 'Content Too Large', 500 => 'Internal Server Error', 502 => 'Bad Gateway', 503 => 'Service Unavailable',
    ];

    private int $status = 200;
    private string $reason = '';
    /** @var array<string, list<string>> */
    private array $headers = [];
    private bool $begun = false;
    private bool $ended = false;
    private bool $keepsAlive;
    private ?SocketWebSocket $webSocket = null;
    private string $trailers = '';
    /** Why a field is left out: told when the head is sent, as PHP does. */
    private string $refused = '';

    /**
     * @param int|null $compressFrom bytes of the shortest body that is compressed; null: none is
     * @param array<string, mixed> $setting of the server
     */
    public function __construct(
        private readonly Sink $socket,
        private readonly RequestParser $request,
        private readonly ?int $compressFrom,
        private readonly string $rest,
        private readonly int $longest,
        private readonly array $setting = [],
    ) {
        $this->keepsAlive = $request->keepsAlive();
    }

    public function isEnded(): bool
    {
        return $this->ended;
    }

    /** Whether the connection may have another request. */
    public function goesOn(): bool
    {
        return $this->keepsAlive && $this->webSocket === null;
    }

    public function status(int $status, string $reason): bool
    {
        [$this->status, $this->reason] = [$status, $reason];
        return true;
    }

    public function header(string $name, array $values): bool
    {
        foreach ([$name, ...$values] as $text) {
            if (\strpbrk($text, "\r\n\0") !== false) {
                $this->refused = \str_contains($text, "\0") ? 'Header may not contain NUL bytes' : 'Header may not contain more than a single header, new line detected';
                return true;
            }
        }
        $this->headers[\ucwords(\strtolower($name), '-')] = $values;
        if (\strtolower($name) === 'connection' && \strtolower($values[0] ?? '') === 'close') {
            $this->keepsAlive = false;
        }
        return true;
    }

    public function cookie(string $field): bool
    {
        $this->headers['Set-Cookie'][] = $field;
        return true;
    }

    public function trailer(string $name, string $value): bool
    {
        $this->trailers .= "$name: $value\r\n";
        return true;
    }

    public function write(string $data): bool
    {
        if (!$this->begun) {
            $this->begun = true;
            unset($this->headers['Content-Length']);
            $this->headers['Transfer-Encoding'] = ['chunked'];
            if (!$this->send($this->head())) {
                return false;
            }
        }
        return $this->send(\dechex(\strlen($data)) . "\r\n$data\r\n");
    }

    public function end(string $data): bool
    {
        $this->ended = true;
        if ($this->begun) {
            return ($data === '' || $this->write($data)) && $this->send("0\r\n$this->trailers\r\n");
        }
        if ($this->compressFrom !== null && \strlen($data) >= $this->compressFrom && !isset($this->headers['Content-Encoding']) && \str_contains($this->request->header('accept-encoding'), 'gzip')) {
            $data = (string) \gzencode($data, 1);
            $this->headers['Content-Encoding'] = ['gzip'];
        }
        $this->headers['Content-Length'] = [(string) \strlen($data)];
        return $this->send($this->head() . ($this->request->method() === 'HEAD' ? '' : $data));
    }

    public function sendFile(string $path, int $offset, int $length): bool
    {
        $this->headers['Content-Type'] ??= [MimeTypes::of($path)];
        return $this->end((string) FilePart::read($path, $offset, $length));
    }

    public function upgrade(): bool
    {
        $key = $this->request->header('sec-websocket-key');
        if (!$this->socket instanceof Socket || $key === '' || \strtolower($this->request->header('upgrade')) !== 'websocket') {
            $this->status(400, '');
            $this->end('');
            return false;
        }
        $this->ended = true;
        $accept = \base64_encode(\sha1($key . '258EAFA5-E914-47DA-95CA-C5AB0DC85B11', true));
        $head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: $accept\r\nSec-WebSocket-Version: 13\r\n";
        foreach ($this->headers as $name => $values) {
            foreach ($values as $value) {
                $head .= "$name: $value\r\n";
            }
        }
        $this->webSocket = new SocketWebSocket($this->socket, $this->rest, $this->longest, $this->setting);
        return $this->send("$head\r\n");
    }

    public function push(Frame $frame): bool
    {
        return $this->webSocket?->push($frame) ?? Errors::warn('it has not been upgraded', \SWOOLE_ERROR_WEBSOCKET_UNCONNECTED);
    }

    public function receive(float $timeout): Frame|false|string
    {
        return $this->webSocket?->receive($timeout) ?? Errors::warn('it has not been upgraded', \SWOOLE_ERROR_WEBSOCKET_UNCONNECTED);
    }

    public function close(): bool
    {
        $this->keepsAlive = false;
        $this->ended = true;
        return $this->socket->close();
    }

    public function disconnect(int $code, string $reason): bool
    {
        return $this->webSocket?->disconnect($code, $reason) ?? false;
    }

    public function abandon(): void
    {
        if (!$this->ended) {
            if (!$this->begun && $this->status === 200 && $this->headers === []) {
                $this->status = 500;
            }
            $this->end('');
        }
    }

    private function head(): string
    {
        if ($this->refused !== '') {
            Errors::warn($this->refused);
        }
        $reason = $this->reason ?: self::REASONS[$this->status] ?? 'Unknown';
        $head = "HTTP/1.1 $this->status $reason\r\n";
        $this->headers += [
            'Server' => ['swoole-http-server'], 'Date' => [\gmdate('D, d M Y H:i:s') . ' GMT'], 'Connection' => [$this->keepsAlive ? 'keep-alive' : 'close'],
            'Content-Type' => ['text/html'],
        ];
        foreach ($this->headers as $name => $values) {
            foreach ($values as $value) {
                $head .= "$name: $value\r\n";
            }
        }
        return "$head\r\n";
    }

    private function send(string $data): bool
    {
        return $this->socket->sendAll($data) === \strlen($data);
    }
}
