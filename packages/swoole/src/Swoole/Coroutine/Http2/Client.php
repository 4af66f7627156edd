<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http2;

use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Http2\Session;
use Sluice\Swoole\Options;
use Sluice\Swoole\Streams;
use Sluice\Swoole\Wire;
use Swoole\Http2\Request;
use Swoole\Http2\Response;

class Client
{
    /** Bytes of the longest cookie that is sent. */
    private const LONGEST_COOKIE = 4096;

    public int $errCode = 0;
    public string $errMsg = '';
    public int $sock = -1;
    public int $type = \SWOOLE_SOCK_TCP;
    /** @var array<string, mixed>|null */
    public ?array $setting = null;
    public ?\Swoole\Coroutine\Socket $socket = null;
    public bool $connected = false;
    public string $host = '';
    public int $port = 0;
    public bool $ssl = false;
    public int $serverLastStreamId = 0;
    private Wire $wire;
    private ?Session $session = null;

    public function __construct(string $host, int $port = 80, bool $open_ssl = false)
    {
        if ($host === '') {
            throw new Client\Exception('host is empty', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if (\str_starts_with($host, 'unix:/')) {
            $this->type = \SWOOLE_SOCK_UNIX_STREAM;
            $host = '/' . \ltrim(\substr($host, 5), '/');
        } elseif ($port <= 0 || $port > 65535) {
            throw new Client\Exception('The port is invalid', \SWOOLE_ERROR_INVALID_PARAMS);
        } elseif (\str_contains($host, ':')) {
            $this->type = \SWOOLE_SOCK_TCP6;
        }
        $this->host = $host;
        $this->port = $port;
        $this->ssl = $open_ssl;
        $this->wire = new Wire();
    }

    /** @param array<string, mixed> $options */
    public function set(array $options): bool
    {
        Options::check('Swoole\Coroutine\Http2\Client::set', $options, Options::CLIENT);
        $this->setting = $options + ($this->setting ?? []);
        return true;
    }

    public function connect(): bool
    {
        if ($this->session !== null) {
            return $this->note(\SOCKET_EISCONN);
        }
        $this->wire = new Wire();
        $type = $this->type | ($this->ssl ? \SWOOLE_SSL : 0);
        if (!$this->wire->connect($type, $this->host, $this->port, $this->timeout('connect_timeout'), ['alpn_protocols' => 'h2'] + ($this->setting ?? []))) {
            return $this->note($this->wire->errCode);
        }
        $this->session = new Session($this->wire, $this->timeout('write_timeout'));
        if (!$this->session->begin()) {
            return $this->lost();
        }
        $stream = $this->wire->stream();
        $this->sock = $stream === null ? -1 : Streams::number($stream);
        return $this->connected = true;
    }

    /** @return array<string, int>|int|false */
    public function stats(string $key = ''): array|int|false
    {
        if ($this->session === null) {
            return false;
        }
        $remote = $this->session->remote;
        $stats = [
            'current_stream_id' => $this->session->lastStream, 'last_stream_id' => $this->session->lastStream, 'active_stream_num' => \count($this->session->streams),
            'header_table_size' => $remote['header_table_size'], 'window_size' => $remote['window'],
            'max_concurrent_streams' => $remote['max_concurrent_streams'], 'max_frame_size' => $remote['max_frame_size'], 'max_header_list_size' => $remote['max_header_list_size'],
        ];
        return $key === '' ? $stats : ($stats[$key] ?? false);
    }

    public function isStreamExist(int $stream_id): bool
    {
        return $this->session !== null && ($stream_id === 0 || isset($this->session->streams[$stream_id]));
    }

    public function send(Request $request): int|false
    {
        if ($this->session === null) {
            return $this->notConnected();
        }
        $body = \is_array($request->data) ? \http_build_query($request->data) : (\is_scalar($request->data) ? (string) $request->data : '');
        $number = $this->session->send($request, $this->fieldsOf($request, $body), $body);
        return $number === false ? $this->lost() : $number;
    }

    public function write(int $stream_id, mixed $data, bool $end_stream = false): bool
    {
        if ($this->session === null) {
            return $this->notConnected();
        }
        $body = \is_array($data) ? \http_build_query($data) : (\is_scalar($data) ? (string) $data : '');
        return $this->session->write($stream_id, $body, $end_stream) || $this->note(\SWOOLE_ERROR_HTTP2_STREAM_NOT_FOUND);
    }

    public function recv(float $timeout = 0): Response|false
    {
        return $this->receive($timeout, false);
    }

    public function read(float $timeout = 0): Response|false
    {
        return $this->receive($timeout, true);
    }

    public function goaway(int $error_code = 0, string $debug_data = ''): bool
    {
        return $this->session === null ? $this->notConnected() : $this->session->goAway($error_code, $debug_data);
    }

    public function ping(): bool
    {
        return $this->session === null ? $this->notConnected() : $this->session->ping();
    }

    public function close(): bool
    {
        if ($this->session === null) {
            return $this->notConnected();
        }
        $this->connected = false;
        $this->session = null;
        $this->sock = -1;
        $this->wire->close();
        return true;
    }

    public function __destruct()
    {
        $this->wire->close();
    }

    private function receive(float $timeout, bool $parts): Response|false
    {
        if ($this->session === null) {
            return $this->notConnected();
        }
        $session = $this->session;
        $response = $session->receive($timeout !== 0.0 ? $timeout : $this->timeout('read_timeout'), $parts);
        $this->serverLastStreamId = $session->serverLastStream;
        if ($response !== false) {
            return $response;
        }
        if ($session->goAway === null && $this->wire->errCode === \SOCKET_ETIMEDOUT && $this->wire->isOpen()) {
            return $this->note(\SOCKET_ETIMEDOUT);
        }
        if ($session->goAway !== null) {
            $this->close();
            return $this->note($session->goAway);
        }
        return $this->lost();
    }

    /** @return list<array{string, string}> */
    private function fieldsOf(Request $request, string $body): array
    {
        if (!\is_array($request->headers)) {
            $request->headers = [];
        }
        $fields = [];
        $authority = match (true) {
            $this->type === \SWOOLE_SOCK_UNIX_STREAM => 'localhost',
            $this->port === ($this->ssl ? 443 : 80) => $this->host,
            default => "$this->host:$this->port",
        };
        foreach ($request->headers as $name => $value) {
            $name = \strtolower((string) $name);
            $text = \is_scalar($value) ? (string) $value : '';
            if ($name === 'host') {
                $authority = $text;
            } elseif ($value !== null && $name !== '' && $name[0] !== ':' && !\in_array($name, ['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade'], true)) {
                $fields[] = [$name, $text];
            }
        }
        if (\is_array($request->data) && !isset($request->headers['content-type'])) {
            $fields[] = ['content-type', 'application/x-www-form-urlencoded'];
        }
        if (!$request->pipeline && $body !== '') {
            $fields[] = ['content-length', (string) \strlen($body)];
        }
        foreach (\is_array($request->cookies) ? $request->cookies : [] as $name => $value) {
            $cookie = $name . '=' . \rawurlencode(\is_scalar($value) ? (string) $value : '');
            if (\strlen($cookie) > self::LONGEST_COOKIE) {
                throw new Client\Exception("the cookie $name is longer than " . self::LONGEST_COOKIE . ' bytes', \SWOOLE_ERROR_INVALID_PARAMS);
            }
            $fields[] = ['cookie', $cookie];
        }
        $method = $request->method !== '' ? $request->method : 'GET';
        $method = $method === 'GET' && $body !== '' ? 'POST' : $method;
        return [[':method', $method], [':path', $request->path !== '' ? $request->path : '/'], [':scheme', $this->ssl ? 'https' : 'http'], [':authority', $authority], ...$fields];
    }

    private function timeout(string $kind): float
    {
        $setting = $this->setting ?? [];
        $default = Options::float(Coroutines::$options, 'socket_timeout', $kind === 'connect_timeout' ? 2.0 : 60.0);
        return Options::float($setting, $kind, Options::float($setting, 'timeout', Options::float(Coroutines::$options, "socket_$kind", $default)));
    }

    private function lost(): false
    {
        $code = $this->wire->errCode;
        $this->close();
        return $this->note($code !== 0 ? $code : \SOCKET_ECONNRESET);
    }

    private function notConnected(): false
    {
        $this->note(\SWOOLE_ERROR_CLIENT_NO_CONNECTION);
        $this->errMsg = 'client is not connected to server';
        return false;
    }

    private function note(int $code): false
    {
        $this->errCode = $code;
        $this->errMsg = \swoole_strerror($code);
        return Errors::fail($code);
    }
}
