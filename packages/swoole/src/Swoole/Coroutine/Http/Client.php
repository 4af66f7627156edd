<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http;

use Sluice\Swoole\Callback;
use Sluice\Swoole\Errors;
use Sluice\Swoole\FilePart;
use Sluice\Swoole\HttpExchange;
use Sluice\Swoole\Machine;
use Sluice\Swoole\Options;
use Sluice\Swoole\WebSocketWire;
use Sluice\Swoole\Wire;
use Swoole\WebSocket\Frame;

class Client
{
    public int $errCode = 0;
    public string $errMsg = '';
    public bool $connected = false;
    public string $host = '';
    public int $port = 0;
    public bool $ssl = false;
    /** @var array<string, mixed>|null */
    public ?array $setting = null;
    public ?string $requestMethod = null;
    /** @var array<string, string>|null */
    public ?array $requestHeaders = null;
    public mixed $requestBody = null;
    /** @var list<array{path: string|null, name: string, type: string, filename: string, data: string|null}>|null */
    public ?array $uploadFiles = null;
    public ?string $downloadFile = null;
    public int $downloadOffset = 0;
    public int $statusCode = 0;
    /** @var array<string, mixed>|null */
    public ?array $headers = null;
    /** @var list<string>|null */
    public ?array $set_cookie_headers = null;
    /** @var array<string, string>|null */
    public ?array $cookies = null;
    public string $body = '';
    public ?\Swoole\Coroutine\Socket $socket = null;
    private Wire $wire;
    private string $headerOut = '';
    private bool $defer = false;
    private ?string $deferred = null;
    private ?WebSocketWire $webSocket = null;
    private string $rawHead = '';
    private string $rawRest = '';

    public function __construct(string $host, int $port = 0, bool $ssl = false)
    {
        if ($host === '') {
            throw new Client\Exception('host is empty', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if ($port < 0 || $port > 65535) {
            throw new Client\Exception('The port is invalid', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        $this->host = $host;
        $this->port = $port ?: ($ssl ? 443 : 80);
        $this->ssl = $ssl;
        $this->wire = new Wire();
        unset($this->socket);
    }

    public function __get(string $name): mixed
    {
        if ($name !== 'socket') {
            \trigger_error('Undefined property: ' . static::class . "::\$$name", \E_USER_WARNING);
            return null;
        }
        return $this->wire->socket();
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): bool
    {
        Options::check('Swoole\Coroutine\Http\Client::set', $settings, Options::CLIENT);
        if (isset($settings['write_func']) && !\is_callable($settings['write_func'])) {
            $name = \is_string($settings['write_func']) ? $settings['write_func'] : \get_debug_type($settings['write_func']);
            return Errors::warn("function '$name' is not callable", \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if (Options::int($settings, 'max_retries') < 0) {
            return Errors::warn('max_retries must not be negative', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        $this->setting = $settings + ($this->setting ?? []);
        $this->webSocket?->set($this->setting);
        return true;
    }

    public function getDefer(): bool
    {
        return $this->defer;
    }

    public function setDefer(bool $defer = true): bool
    {
        $this->defer = $defer;
        return true;
    }

    public function setMethod(string $method): bool
    {
        $this->requestMethod = $method;
        return true;
    }

    /** @param array<string, string> $headers */
    public function setHeaders(array $headers): bool
    {
        $this->requestHeaders = $headers;
        return true;
    }

    public function setBasicAuth(string $username, #[\SensitiveParameter] string $password): void
    {
        $this->requestHeaders['Authorization'] = 'Basic ' . \base64_encode("$username:$password");
    }

    /** @param array<string, string> $cookies */
    public function setCookies(array $cookies): bool
    {
        $this->cookies = $cookies;
        return true;
    }

    /** @param array<string, mixed>|string $data */
    public function setData(array|string $data): bool
    {
        $this->requestBody = $data;
        return true;
    }

    public function addFile(string $path, string $name, ?string $type = null, ?string $filename = null, int $offset = 0, int $length = 0): bool
    {
        $data = FilePart::read($path, $offset, $length);
        if ($data === false || $data === '') {
            return Errors::warn("file[$path] does not exist, or is empty", \SWOOLE_ERROR_FILE_NOT_EXIST);
        }
        return $this->addData($data, $name, $type ?? \Sluice\Swoole\MimeTypes::of($path), $filename ?? \basename($path));
    }

    public function addData(string $data, string $name, ?string $type = null, ?string $filename = null): bool
    {
        $this->uploadFiles[] = ['path' => null, 'name' => $name, 'type' => $type ?? 'application/octet-stream', 'filename' => $filename ?? $name, 'data' => $data];
        return true;
    }

    public function get(string $path): bool
    {
        $this->requestMethod = 'GET';
        $this->requestBody = null;
        return $this->execute($path);
    }

    public function post(string $path, mixed $data): bool
    {
        $this->requestMethod = 'POST';
        $this->requestBody = $data;
        return $this->execute($path);
    }

    public function download(string $path, string $file, int $offset = 0): bool
    {
        $this->downloadFile = $file;
        $this->downloadOffset = $offset;
        if ($offset > 0) {
            $this->requestHeaders['Range'] = "bytes=$offset-";
        }
        $done = $this->execute($path);
        $this->downloadFile = null;
        return $done;
    }

    public function execute(string $path): bool
    {
        if ($this->webSocket !== null) {
            return $this->failed(-1, \SWOOLE_ERROR_WEBSOCKET_HANDSHAKE_FAILED);
        }
        if ($path === '' || $path[0] !== '/') {
            $path = "/$path";
        }
        if ($this->defer) {
            if ($this->deferred !== null) {
                return Errors::warn('Connection has already been used in defer mode', \SWOOLE_ERROR_WRONG_OPERATION);
            }
            $this->deferred = $path;
            return $this->send($path, []);
        }
        return $this->exchange($path, []);
    }

    public function upgrade(string $path): bool
    {
        $key = \base64_encode(\random_bytes(16));
        $deflates = Options::bool($this->setting ?? [], 'websocket_compression')
            || \str_contains($this->requestHeaders['Sec-WebSocket-Extensions'] ?? '', 'permessage-deflate');
        $headers = ['Connection' => 'Upgrade', 'Upgrade' => 'websocket', 'Sec-WebSocket-Version' => '13', 'Sec-WebSocket-Key' => $key]
            + ($deflates ? ['Sec-WebSocket-Extensions' => WebSocketWire::offer()] : []);
        $this->requestMethod = 'GET';
        $this->requestBody = null;
        if (!$this->exchange($path === '' || $path[0] !== '/' ? "/$path" : $path, $headers)) {
            return false;
        }
        if ($this->statusCode !== 101) {
            $this->errCode = \SWOOLE_ERROR_WEBSOCKET_HANDSHAKE_FAILED;
            return Errors::fail($this->errCode);
        }
        $most = \max(1024, Options::size($this->setting ?? [], 'package_max_length', 64 << 20));
        $webSocket = new WebSocketWire($this->wire, $most, $this->setting ?? []);
        $this->webSocket = $webSocket->begin($this->rawHead, $this->rawRest, $key, $this->requestHeaders['Sec-WebSocket-Protocol'] ?? '', $deflates) ? $webSocket : null;
        return $this->webSocket !== null || $this->failed(-1, \SWOOLE_ERROR_WEBSOCKET_HANDSHAKE_FAILED);
    }

    public function push(mixed $data, int $opcode = \SWOOLE_WEBSOCKET_OPCODE_TEXT, int $flags = \SWOOLE_WEBSOCKET_FLAG_FIN): bool
    {
        if ($this->webSocket === null) {
            $this->errCode = \SWOOLE_ERROR_WEBSOCKET_HANDSHAKE_FAILED;
            return Errors::warn('websocket handshake failed, cannot push data', $this->errCode);
        }
        $frame = $data instanceof Frame ? $data : Frame::of(\is_scalar($data) ? (string) $data : '', $opcode, $flags);
        return $this->webSocket->push($frame, $this->timeout('write_timeout')) || $this->lost();
    }

    public function recv(float $timeout = 0): bool|Frame|string
    {
        if ($this->webSocket !== null) {
            $frame = $this->webSocket->receive($timeout !== 0.0 ? $timeout : $this->timeout('read_timeout'));
            return $frame === false && !$this->webSocket->isOpen() ? $this->lost() : ($frame === false ? $this->timedOut() : $frame);
        }
        if ($this->deferred === null) {
            return Errors::warn('you should set defer to true and send a request first', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        $this->deferred = null;
        return $this->receive($timeout !== 0.0 ? $timeout : $this->timeout('read_timeout'));
    }

    public function ping(string $data = ''): bool
    {
        return $this->push($data, \SWOOLE_WEBSOCKET_OPCODE_PING);
    }

    public function disconnect(int $code = \SWOOLE_WEBSOCKET_CLOSE_NORMAL, string $reason = ''): bool
    {
        if ($this->webSocket === null) {
            return false;
        }
        $sent = $this->webSocket->disconnect($code, $reason);
        $this->webSocket = null;
        $this->connected = false;
        return $sent;
    }

    public function getBody(): string|false
    {
        return $this->body;
    }

    /** @return array<string, mixed>|null|false */
    public function getHeaders(): array|null|false
    {
        return $this->headers;
    }

    /** @return array<string, string>|null|false */
    public function getCookies(): array|null|false
    {
        return $this->cookies;
    }

    /** @phpstan-impure */
    public function getStatusCode(): int|false
    {
        return $this->statusCode;
    }

    public function getHeaderOut(): string|false
    {
        return $this->headerOut ?: false;
    }

    public function getPeerCert(): string|false
    {
        return false;
    }

    /** @return array{address: string, port: int, host: string}|false */
    public function getsockname(): array|false
    {
        return $this->wire->name(false);
    }

    /** @return array{address: string, port: int, host: string}|false */
    public function getpeername(): array|false
    {
        return $this->wire->name(true);
    }

    public function close(): bool
    {
        $this->webSocket?->disconnect(\SWOOLE_WEBSOCKET_CLOSE_NORMAL, '');
        $this->webSocket = null;
        $this->deferred = null;
        $open = $this->wire->isOpen();
        $this->wire->close();
        $this->connected = false;
        return $open;
    }

    public function __destruct()
    {
        $this->wire->close();
    }

    /** @param array<string, string> $upgrade */
    private function exchange(string $path, array $upgrade): bool
    {
        // A kept connection that the server has closed meanwhile is opened anew.
        $retries = \max(0, Options::int($this->setting ?? [], 'max_retries', $this->wire->isOpen() ? 1 : 0));
        for (;;) {
            if (!$this->send($path, $upgrade)) {
                return false;
            }
            if ($this->receive($this->timeout('read_timeout'))) {
                return true;
            }
            if ($retries-- === 0 || $this->getStatusCode() !== \SWOOLE_HTTP_CLIENT_ESTATUS_SERVER_RESET || !Options::bool($this->setting ?? [], 'reconnect', true)) {
                return false;
            }
        }
    }

    /** @param array<string, string> $upgrade */
    private function send(string $path, array $upgrade): bool
    {
        if ($this->wire->isOpen() && !$this->wire->isAlive()) {
            $this->wire->close();
        }
        if (!$this->wire->isOpen() && !$this->connect()) {
            return $this->failed(\SWOOLE_HTTP_CLIENT_ESTATUS_CONNECT_FAILED, $this->wire->errCode);
        }
        $this->statusCode = 0;
        $this->body = '';
        [$head, $body] = HttpExchange::request($this, $path, $upgrade);
        $this->headerOut = $head;
        if ($this->wire->send($head . $body, $this->timeout('write_timeout')) === false) {
            return $this->failed(\SWOOLE_HTTP_CLIENT_ESTATUS_SEND_FAILED, $this->wire->errCode);
        }
        $this->uploadFiles = null;
        return true;
    }

    /** @phpstan-impure */
    private function receive(float $timeout): bool
    {
        $exchange = new HttpExchange($this->wire, $timeout, $this->sink(), Options::bool($this->setting ?? [], 'lowercase_header', true), Options::bool($this->setting ?? [], 'body_decompression', true));
        $done = $exchange->receive($this->requestMethod ?? 'GET', $this->downloadFile, $this->downloadOffset);
        if (!$done) {
            return $this->failed($exchange->timedOut ? \SWOOLE_HTTP_CLIENT_ESTATUS_REQUEST_TIMEOUT : \SWOOLE_HTTP_CLIENT_ESTATUS_SERVER_RESET, $exchange->timedOut ? 110 : ($this->wire->errCode ?: 104));
        }
        $this->statusCode = $exchange->status;
        $this->headers = $exchange->namedHeaders();
        $this->set_cookie_headers = $exchange->setCookies ?: null;
        foreach ($exchange->cookies as $name => $value) {
            $this->cookies[$name] = $value;
        }
        $this->body = $exchange->body;
        $this->rawHead = $exchange->head;
        $this->rawRest = $exchange->rest;
        $this->errCode = 0;
        $this->errMsg = '';
        if ($exchange->status !== 101 && (!$exchange->keepsAlive || !Options::bool($this->setting ?? [], 'keep_alive', true))) {
            $this->wire->close();
            $this->connected = false;
        }
        return true;
    }

    /** @return (\Closure(string): bool)|null what takes the body, part by part: the option `write_func` */
    private function sink(): ?\Closure
    {
        $function = $this->setting['write_func'] ?? null;
        return \is_callable($function) ? fn(string $part): bool => Callback::call($function, [$this, $part]) !== false : null;
    }

    private function connect(): bool
    {
        $this->wire = new Wire();
        $isUnix = \str_starts_with($this->host, 'unix:/');
        $type = $isUnix ? \SWOOLE_SOCK_UNIX_STREAM : \SWOOLE_SOCK_TCP;
        $host = $isUnix ? \substr($this->host, 5) : $this->host;
        return $this->connected = $this->wire->connect($type | ($this->ssl ? \SWOOLE_SSL : 0), $host, $this->port, $this->timeout('connect_timeout'), $this->setting ?? []);
    }

    private function timeout(string $kind): float
    {
        $options = \Sluice\Swoole\Coroutines::$options;
        $default = Options::float($options, 'socket_timeout', $kind === 'connect_timeout' ? 2.0 : -1.0);
        $setting = $this->setting ?? [];
        return Options::float($setting, $kind, Options::float($setting, 'timeout', $default));
    }

    private function failed(int $status, int $code): false
    {
        $this->wire->close();
        $this->connected = false;
        $this->statusCode = $status;
        $this->errCode = $code;
        $this->errMsg = Machine::errorText($code);
        return Errors::fail($code);
    }

    private function lost(): false
    {
        $this->webSocket = null;
        return $this->failed(\SWOOLE_HTTP_CLIENT_ESTATUS_SERVER_RESET, \SWOOLE_ERROR_CLIENT_NO_CONNECTION);
    }

    private function timedOut(): false
    {
        $this->errCode = 110;
        $this->errMsg = Machine::errorText(110);
        return Errors::fail(110);
    }
}
