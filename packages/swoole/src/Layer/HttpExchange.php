<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Coroutine\Http\Client;

/** One request of HTTP/1.1 and its response, on a client's connection. */
final class HttpExchange
{
    private const LONGEST_HEAD = 131072;

    public int $status = 0;
    /** @var array<string, mixed> names in lower case */
    public array $headers = [];
    /** @var list<string> */
    public array $setCookies = [];
    /** @var array<string, string> */
    public array $cookies = [];
    public string $body = '';
    public string $head = '';
    /** What has come after the response. */
    public string $rest = '';
    public bool $keepsAlive = true;
    public bool $timedOut = false;
    private string $data = '';
    /** @var array<string, string> how the server has written the names of fields, when that is asked for */
    private array $names = [];
    private readonly float $deadline;

    /** @param (\Closure(string): bool)|null $sink takes the body, part by part; false ends the exchange */
    public function __construct(private readonly Wire $wire, float $timeout, private readonly ?\Closure $sink = null, private readonly bool $lowers = true, private readonly bool $decodes = true)
    {
        $this->deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
    }

    /**
     * @param array<string, string> $more fields that go first
     * @return array{string, string} head and body
     */
    public static function request(Client $client, string $path, array $more): array
    {
        $headers = $more;
        foreach ($client->requestHeaders ?? [] as $name => $value) {
            $headers[$name] ??= $value;
        }
        $names = \array_change_key_case($headers);
        $type = '';
        $body = self::body($client, $type);
        if (!isset($names['host'])) {
            $port = $client->port === ($client->ssl ? 443 : 80) ? '' : ":$client->port";
            $headers = ['Host' => \str_starts_with($client->host, 'unix:') ? 'localhost' : "$client->host$port"] + $headers;
        }
        if (!isset($names['connection'])) {
            $headers['Connection'] = Options::bool($client->setting ?? [], 'keep_alive', true) ? 'keep-alive' : 'close';
        }
        if (!isset($names['accept-encoding']) && $more === [] && Options::bool($client->setting ?? [], 'http_compression', true)) {
            $headers['Accept-Encoding'] = 'gzip, deflate';
        }
        if ($client->cookies !== null && $client->cookies !== [] && !isset($names['cookie'])) {
            $pairs = [];
            foreach ($client->cookies as $name => $value) {
                $pairs[] = "$name=" . \urlencode($value);
            }
            $headers['Cookie'] = \implode('; ', $pairs);
        }
        if ($type !== '' && !isset($names['content-type'])) {
            $headers['Content-Type'] = $type;
        }
        $method = $client->requestMethod ?? ($body === '' ? 'GET' : 'POST');
        if ($body !== '' || $method === 'POST' || $method === 'PUT' || $method === 'PATCH') {
            $headers['Content-Length'] = (string) \strlen($body);
        }
        $head = "$method $path HTTP/1.1\r\n";
        foreach ($headers as $name => $value) {
            $head .= "$name: $value\r\n";
        }
        return ["$head\r\n", $body];
    }

    /** Receives the response, its body into a file when one is named. */
    public function receive(string $method, ?string $file, int $offset): bool
    {
        do {
            if (!$this->receiveHead()) {
                return false;
            }
        } while ($this->status >= 100 && $this->status < 200 && $this->status !== 101);
        $hasBody = $method !== 'HEAD' && $this->status >= 200 && $this->status !== 204 && $this->status !== 304;
        if ($hasBody && !$this->receiveBody()) {
            return false;
        }
        $this->rest = $this->data;
        $this->decode();
        if ($file !== null) {
            $stream = @\fopen($file, $offset > 0 ? 'c' : 'w');
            if ($stream === false) {
                return false;
            }
            \fseek($stream, $offset);
            \fwrite($stream, $this->body);
            $this->body = '';
        }
        return true;
    }

    private static function body(Client $client, string &$type): string
    {
        $data = $client->requestBody;
        if ($client->uploadFiles !== null) {
            $boundary = 'sluice' . \bin2hex(\random_bytes(12));
            $type = "multipart/form-data; boundary=$boundary";
            return self::multipart($client->uploadFiles, \is_array($data) ? $data : [], $boundary);
        }
        if (\is_array($data)) {
            $type = 'application/x-www-form-urlencoded';
            return \http_build_query($data);
        }
        return \is_scalar($data) ? (string) $data : '';
    }

    /**
     * @param list<array{path: string|null, name: string, type: string, filename: string, data: string|null}> $files
     * @param array<mixed> $fields
     */
    private static function multipart(array $files, array $fields, string $boundary): string
    {
        $body = '';
        foreach ($fields as $name => $value) {
            $text = \is_scalar($value) ? (string) $value : '';
            $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"$name\"\r\n\r\n$text\r\n";
        }
        foreach ($files as $file) {
            $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"{$file['name']}\"; filename=\"{$file['filename']}\"\r\nContent-Type: {$file['type']}\r\n\r\n{$file['data']}\r\n";
        }
        return "$body--$boundary--\r\n";
    }

    private function receiveHead(): bool
    {
        while (($end = \strpos($this->data, "\r\n\r\n")) === false) {
            if (\strlen($this->data) > self::LONGEST_HEAD || !$this->more()) {
                return false;
            }
        }
        $this->head = \substr($this->data, 0, $end + 4);
        $this->data = \substr($this->data, $end + 4);
        $this->headers = $this->setCookies = $this->cookies = [];
        $lines = \explode("\r\n", \substr($this->head, 0, -4));
        if (\preg_match('~^HTTP/(1\.[01]) (\d{3})~', $lines[0], $found) !== 1) {
            return false;
        }
        $this->status = (int) $found[2];
        foreach (\array_slice($lines, 1) as $line) {
            [$name, $value] = \explode(':', $line, 2) + [1 => ''];
            $this->take($name, \trim($value));
        }
        $connection = \strtolower($this->text('connection'));
        $this->keepsAlive = $found[1] === '1.1' ? !\str_contains($connection, 'close') : \str_contains($connection, 'keep-alive');
        return true;
    }

    private function take(string $written, string $value): void
    {
        $name = \strtolower($written);
        if ($name === 'set-cookie') {
            $this->setCookies[] = $value;
            [$cookie, $content] = \explode('=', \explode(';', $value)[0], 2) + [1 => ''];
            $this->cookies[$cookie] = \urldecode($content);
        }
        if (!$this->lowers) {
            $this->names[$name] ??= $written;
        }
        if (!isset($this->headers[$name])) {
            $this->headers[$name] = $value;
        } else {
            $before = (array) $this->headers[$name];
            $this->headers[$name] = [...$before, $value];
        }
    }

    private function receiveBody(): bool
    {
        if (\str_contains(\strtolower($this->text('transfer-encoding')), 'chunked')) {
            return $this->receiveChunks();
        }
        $length = $this->headers['content-length'] ?? null;
        if ($length === null) {
            // It ends with the connection.
            while ($this->more()) {
            }
            $this->keepsAlive = false;
            [$part, $this->data] = [$this->data, ''];
            return $this->keep($part) && !$this->timedOut;
        }
        $length = (int) $this->text('content-length');
        while ($this->takesParts() && $length > \strlen($this->data)) {
            $length -= \strlen($this->data);
            [$part, $this->data] = [$this->data, ''];
            if (!$this->keep($part) || !$this->more($length)) {
                return false;
            }
        }
        while (\strlen($this->data) < $length) {
            if (!$this->more($length - \strlen($this->data))) {
                return false;
            }
        }
        $part = \substr($this->data, 0, $length);
        $this->data = \substr($this->data, $length);
        return $this->keep($part);
    }

    private function receiveChunks(): bool
    {
        for (;;) {
            while (($end = \strpos($this->data, "\r\n")) === false) {
                if (!$this->more()) {
                    return false;
                }
            }
            $size = (int) \hexdec(\trim(\explode(';', \substr($this->data, 0, $end))[0]));
            while (\strlen($this->data) < $end + 2 + $size + 2) {
                if (!$this->more()) {
                    return false;
                }
            }
            if ($size === 0) {
                return $this->receiveTrailers($end + 2);
            }
            if (!$this->keep(\substr($this->data, $end + 2, $size))) {
                return false;
            }
            $this->data = \substr($this->data, $end + 2 + $size + 2);
        }
    }

    private function receiveTrailers(int $at): bool
    {
        $this->data = \substr($this->data, $at);
        for (;;) {
            while (($end = \strpos($this->data, "\r\n")) === false) {
                if (!$this->more()) {
                    return false;
                }
            }
            $line = \substr($this->data, 0, $end);
            $this->data = \substr($this->data, $end + 2);
            if ($line === '') {
                return true;
            }
            [$name, $value] = \explode(':', $line, 2) + [1 => ''];
            $this->take($name, \trim($value));
        }
    }

    /** @return array<string, mixed> by the names that the client asks for */
    public function namedHeaders(): array
    {
        $named = [];
        foreach ($this->headers as $name => $value) {
            $named[$this->names[$name] ?? $name] = $value;
        }
        return $named;
    }

    private function takesParts(): bool
    {
        return $this->sink !== null && $this->text('content-encoding') === '';
    }

    private function keep(string $part): bool
    {
        if ($this->sink === null || !$this->takesParts()) {
            $this->body .= $part;
            return true;
        }
        return $part === '' || ($this->sink)($part);
    }

    private function decode(): void
    {
        $encoding = $this->decodes ? \strtolower($this->text('content-encoding')) : '';
        $decoded = match ($encoding) {
            'gzip' => @\gzdecode($this->body),
            'deflate' => @\gzuncompress($this->body),
            default => $this->body,
        };
        $this->body = $decoded === false ? $this->body : $decoded;
        if ($this->sink !== null && $this->body !== '') {
            ($this->sink)($this->body);
            $this->body = '';
        }
    }

    private function text(string $name): string
    {
        $value = $this->headers[$name] ?? '';
        return \is_string($value) ? $value : (\is_array($value) && \is_string($value[0] ?? null) ? $value[0] : '');
    }

    private function more(int $most = 65536): bool
    {
        $left = $this->deadline === \INF ? -1.0 : $this->deadline - \microtime(true);
        if ($this->deadline !== \INF && $left <= 0) {
            $this->timedOut = true;
            return false;
        }
        $data = $this->wire->receive(\max(65536, $most), $left);
        $this->timedOut = $data === false && $this->wire->errCode === 110;
        if ($data === false || $data === '') {
            return false;
        }
        $this->data .= $data;
        return true;
    }
}
