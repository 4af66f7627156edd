<?php

declare(strict_types=1);

namespace Swoole\Http;

use Sluice\Http\Request as SluiceRequest;
use Sluice\Http\UploadedFile;
use Sluice\Swoole\Address;
use Sluice\Swoole\RequestParser;
use Sluice\Swoole\Uploads;

/**
 * @property array<string, string|list<string>>|null $header
 */
class Request
{
    public int $fd = 0;
    public int $streamId = 0;
    /** @var array<string, string|list<string>>|null */
    public ?array $header = null;
    /** @var array<string, mixed>|null */
    public ?array $server = null;
    /** @var array<string, string>|null */
    public ?array $cookie = null;
    /** @var array<mixed>|null */
    public ?array $get = null;
    /** @var array<mixed>|null */
    public ?array $files = null;
    /** @var array<mixed>|null */
    public ?array $post = null;
    /** @var array<string, string>|null */
    public ?array $tmpfiles = null;
    private ?SluiceRequest $under = null;
    private int $port = 0;
    private ?RequestParser $parser = null;
    /** @var array<string, mixed> of create() */
    private array $options = [];
    private static ?self $unread = null;

    /**
     * @internal
     * @param list<string> $unparsed properties that are null
     */
    public static function over(SluiceRequest $request, int $fd, int $port, array $unparsed = []): self
    {
        $self = clone self::$unread ??= self::makeUnread();
        $self->fd = $fd;
        $self->under = $request;
        $self->port = $port;
        foreach ($unparsed as $name) {
            $self->{$name} = null;
        }
        return $self;
    }

    /** Its properties are made when they are read. */
    private static function makeUnread(): self
    {
        $self = new self();
        unset($self->header, $self->server, $self->cookie, $self->get, $self->files, $self->post, $self->tmpfiles);
        return $self;
    }

    public function __get(string $name): mixed
    {
        $value = $this->under === null ? false : match ($name) {
            'header' => $this->headerOf($this->under),
            'server' => $this->serverOf($this->under),
            'cookie' => $this->under->cookies() ?: null,
            'get' => $this->under->queryAll() ?: null,
            'post' => $this->under->formAll() ?: null,
            'files' => self::filesOf($this->under->files()) ?: null,
            'tmpfiles' => null,
            default => false,
        };
        if ($value === false) {
            \trigger_error('Undefined property: ' . static::class . "::\$$name", \E_USER_WARNING);
            return null;
        }
        return $this->{$name} = $value;
    }

    public function __isset(string $name): bool
    {
        return $this->under !== null && \in_array($name, ['header', 'server', 'cookie', 'get', 'files', 'post'], true) && $this->__get($name) !== null;
    }

    public function rawContent(): string|false
    {
        return $this->getContent();
    }

    public function getContent(): string|false
    {
        return $this->under?->body() ?? $this->parser?->body() ?? false;
    }

    public function getData(): string|false
    {
        if ($this->under === null) {
            return $this->parser?->data() ?? false;
        }
        $head = "{$this->under->method()} {$this->under->target()} HTTP/{$this->under->protocol()}\r\n";
        foreach ($this->under->headers() as $name => $values) {
            foreach ($values as $value) {
                $head .= \ucwords($name, '-') . ": $value\r\n";
            }
        }
        return "$head\r\n" . $this->under->body();
    }

    public function getMethod(): string|false
    {
        return $this->under?->method() ?? $this->parser?->method() ?? false;
    }

    /** @internal */
    public static function parsed(RequestParser $parser, int $fd): self
    {
        $self = new self();
        $self->fd = $fd;
        $self->parser = $parser;
        [$self->header, $self->server, $self->cookie, $self->get, $self->post, $self->files] = $parser->parts();
        return $self;
    }

    /** @param array<string, mixed> $options */
    public static function create(array $options = []): self
    {
        $self = new self();
        $self->parser = new RequestParser();
        $self->options = $options;
        $self->header = $self->server = [];
        return $self;
    }

    public function parse(string $data): int|false
    {
        if ($this->parser === null || $this->parser->isCompleted()) {
            return false;
        }
        $used = $this->parser->feed($data);
        if ($used !== false && $this->parser->isCompleted()) {
            [$this->header, $this->server, $this->cookie, $this->get, $this->post, $this->files] = $this->parser->parts();
            foreach (['parse_cookie' => 'cookie', 'parse_body' => 'post', 'parse_files' => 'files'] as $option => $property) {
                if (($this->options[$option] ?? true) === false) {
                    $this->{$property} = null;
                }
            }
        }
        return $used;
    }

    /** @internal */
    public function parser(): ?RequestParser
    {
        return $this->parser;
    }

    public function isCompleted(): bool
    {
        return $this->under !== null || ($this->parser?->isCompleted() ?? false);
    }

    /** @return array<string, string|list<string>> a list for a field that has come several times */
    private function headerOf(SluiceRequest $request): array
    {
        $all = [];
        foreach ($request->headers() as $name => $values) {
            $all[$name] = \count($values) === 1 ? $values[0] : ($name === 'cookie' ? \implode('; ', $values) : $values);
        }
        return $all;
    }

    /** @return array<string, mixed> */
    private function serverOf(SluiceRequest $request): array
    {
        [$host, $port] = Address::split($request->peer());
        $path = $request->path();
        $query = $request->queryString();
        $now = \microtime(true);
        $server = [
            'request_method' => $request->method(), 'request_uri' => $path, 'path_info' => \str_contains($path, '%') ? \rawurldecode($path) : $path, 'request_time' => (int) $now,
            'request_time_float' => $now, 'server_protocol' => 'HTTP/' . $request->protocol(),
            'server_port' => $this->port, 'remote_port' => $port, 'remote_addr' => $host, 'master_time' => (int) $now,
        ];
        if ($query !== '') {
            $server['query_string'] = $query;
        }
        return $server;
    }

    /**
     * As $_FILES has them: files of names with brackets are in trees by each of their figures.
     *
     * @param array<mixed> $files
     * @return array<mixed>
     */
    private static function filesOf(array $files): array
    {
        $all = [];
        foreach ($files as $name => $file) {
            if ($file instanceof UploadedFile) {
                $all[$name] = self::fileOf($file);
            } elseif (\is_array($file)) {
                foreach (['name', 'type', 'tmp_name', 'error', 'size'] as $figure) {
                    $all[$name][$figure] = self::treeOf($file, $figure);
                }
            }
        }
        return $all;
    }

    /**
     * @param array<mixed> $files
     * @return array<mixed>
     */
    private static function treeOf(array $files, string $figure): array
    {
        return \array_map(static fn(mixed $file): mixed => match (true) {
            $file instanceof UploadedFile => self::fileOf($file)[$figure],
            \is_array($file) => self::treeOf($file, $figure),
            default => null,
        }, $files);
    }

    /** @return array<string, mixed> */
    private static function fileOf(UploadedFile $file): array
    {
        return ['name' => $file->clientName, 'type' => $file->clientType, 'tmp_name' => Uploads::path($file), 'error' => \UPLOAD_ERR_OK, 'size' => $file->size];
    }
}
