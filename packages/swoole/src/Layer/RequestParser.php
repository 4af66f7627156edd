<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Reads one request of HTTP/1.1 out of bytes that come bit by bit. */
final class RequestParser
{
    private const LONGEST_HEAD = 65536;

    private string $data = '';
    private string $head = '';
    private string $body = '';
    private string $method = '';
    private string $target = '';
    private string $protocol = '1.1';
    /** @var array<string, string> */
    private array $headers = [];
    private ?Multipart $multipart = null;
    private int $bodyStart = 0;
    private bool $completed = false;

    /** Takes bytes; gives how many of them it has used; false: this is no request. */
    public function feed(string $data): int|false
    {
        $before = \strlen($this->data);
        $this->data .= $data;
        if ($this->head === '') {
            $end = \strpos($this->data, "\r\n\r\n");
            if ($end === false) {
                return \strlen($this->data) > self::LONGEST_HEAD ? false : \strlen($data);
            }
            $this->head = \substr($this->data, 0, $end);
            $this->bodyStart = $end + 4;
            if (!$this->readHead()) {
                return false;
            }
        }
        $used = $this->readBody();
        if ($used === null) {
            return \strlen($data);
        }
        $this->completed = true;
        $this->data = \substr($this->data, 0, $used);
        return $used - $before;
    }

    public function isCompleted(): bool
    {
        return $this->completed;
    }

    public function body(): string
    {
        return $this->body;
    }

    public function data(): string
    {
        return $this->data;
    }

    public function method(): string
    {
        // Known before the whole head has come.
        return $this->method !== '' || \preg_match('~^([A-Z]+) \S+ HTTP/1\.[01]\r\n~', $this->data, $found) !== 1 ? $this->method : $found[1];
    }

    public function target(): string
    {
        return $this->target;
    }

    public function header(string $name): string
    {
        return $this->headers[$name] ?? '';
    }

    public function keepsAlive(): bool
    {
        $connection = \strtolower($this->header('connection'));
        return $this->protocol === '1.0' ? $connection === 'keep-alive' : $connection !== 'close';
    }

    /**
     * Header, server, cookie, get, post and files.
     *
     * @return array{array<string, string>, array<string, mixed>, array<string, string>|null, array<mixed>|null, array<mixed>|null, array<mixed>|null}
     */
    public function parts(): array
    {
        [$path, $query] = \explode('?', $this->target, 2) + [1 => ''];
        \parse_str($query, $get);
        $cookies = [];
        foreach (\explode(';', $this->header('cookie')) as $pair) {
            if (\str_contains($pair, '=')) {
                [$name, $value] = \explode('=', \trim($pair), 2);
                $cookies[$name] = \urldecode($value);
            }
        }
        $post = [];
        $files = null;
        $this->multipart = null;
        $type = $this->header('content-type');
        if (\str_starts_with(\strtolower($type), 'multipart/form-data')) {
            $this->multipart = new Multipart($type, $this->body);
            [$post, $files] = [$this->multipart->fields, $this->multipart->files ?: null];
        } elseif (\str_starts_with(\strtolower($this->header('content-type')), 'application/x-www-form-urlencoded')) {
            \parse_str($this->body, $post);
        }
        $server = [
            'request_method' => $this->method, 'request_uri' => $path, 'path_info' => \rawurldecode($path), 'request_time' => \time(),
            'request_time_float' => \microtime(true), 'server_protocol' => "HTTP/$this->protocol", 'master_time' => \time(),
        ] + ($query === '' ? [] : ['query_string' => $query]);
        return [$this->headers, $server, $cookies ?: null, $get ?: null, $post ?: null, $files];
    }

    private function readHead(): bool
    {
        $lines = \explode("\r\n", $this->head);
        if (\preg_match('~^([A-Z]+) (\S+) HTTP/(1\.[01])$~', $lines[0], $found) !== 1) {
            return false;
        }
        [, $this->method, $this->target, $this->protocol] = $found;
        foreach (\array_slice($lines, 1) as $line) {
            [$name, $value] = \explode(':', $line, 2) + ['', ''];
            if ($name === '' || !\str_contains($line, ':')) {
                return false;
            }
            $name = \strtolower($name);
            if ($name === 'content-length' && \preg_match('/^\d+$/', \trim($value)) !== 1) {
                return false;
            }
            $this->headers[$name] = isset($this->headers[$name]) ? "{$this->headers[$name]}, " . \trim($value) : \trim($value);
        }
        return true;
    }

    /** The length of the whole request; null: more is needed. */
    private function readBody(): ?int
    {
        if (\strtolower($this->header('transfer-encoding')) === 'chunked') {
            return $this->readChunks();
        }
        $length = (int) $this->header('content-length');
        if (\strlen($this->data) < $this->bodyStart + $length) {
            return null;
        }
        $this->body = \substr($this->data, $this->bodyStart, $length);
        return $this->bodyStart + $length;
    }

    private function readChunks(): ?int
    {
        $body = '';
        $at = $this->bodyStart;
        while (($end = \strpos($this->data, "\r\n", $at)) !== false) {
            $size = (int) \hexdec(\trim(\explode(';', \substr($this->data, $at, $end - $at))[0]));
            $at = $end + 2;
            if (\strlen($this->data) < $at + $size + 2) {
                return null;
            }
            $body .= \substr($this->data, $at, $size);
            $at += $size + 2;
            if ($size === 0) {
                $this->body = $body;
                return $at;
            }
        }
        return null;
    }
}
