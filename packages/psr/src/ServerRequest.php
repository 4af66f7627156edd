<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Nyholm\Psr7\{Request as Head, Stream, Uri};
use Psr\Http\Message\{ServerRequestInterface, StreamInterface, UploadedFileInterface, UriInterface};
use Sluice\Http\{BadRequest, Request, UploadedFile as SluiceFile};

/**
 * A request of the server as a PSR-7 server request. Each part is made when it is first asked for. With `Bodies::Stream` the body is
 * read as it arrives. A malformed part of a client's request is a `Sluice\Http\BadRequest`, which is answered with 400 unless the
 * application catches it.
 */
final class ServerRequest implements ServerRequestInterface
{
    /** Method, URI and header fields, once all of them were asked for or one was changed. */
    private ?Head $head = null;
    /** Parts that clones share. */
    private readonly RequestParts $parts;
    private ?StreamInterface $body = null;
    /** @var array<mixed>|null */
    private ?array $query = null;
    /** @var array<mixed>|null */
    private ?array $cookies = null;
    /** @var array<mixed>|object|null */
    private array|object|null $parsed = null;
    private bool $isParsed = false;
    /** @var array<mixed>|null */
    private ?array $files = null;
    /** @var array<mixed>|null */
    private ?array $attributes = null;

    public function __construct(private readonly Request $request)
    {
        $this->parts = new RequestParts();
    }

    // --- the head ---

    public function getProtocolVersion(): string
    {
        return $this->head === null ? $this->request->protocol() : $this->head->getProtocolVersion();
    }

    public function withProtocolVersion(string $version): static
    {
        return $this->withHead($this->head()->withProtocolVersion($version));
    }

    /** @return array<array<string>> */
    public function getHeaders(): array
    {
        return $this->head()->getHeaders();
    }

    public function hasHeader(string $name): bool
    {
        return $this->head === null ? $this->request->header($name) !== null : $this->head->hasHeader($name);
    }

    /** @return array<string> */
    public function getHeader(string $name): array
    {
        return $this->head === null ? $this->request->headers()[\strtolower($name)] ?? [] : $this->head->getHeader($name);
    }

    public function getHeaderLine(string $name): string
    {
        return $this->head === null ? (string) $this->request->header($name) : $this->head->getHeaderLine($name);
    }

    /** @param string|array<string> $value */
    public function withHeader(string $name, $value): static
    {
        return $this->withHead($this->head()->withHeader($name, $value));
    }

    /** @param string|array<string> $value */
    public function withAddedHeader(string $name, $value): static
    {
        return $this->withHead($this->head()->withAddedHeader($name, $value));
    }

    public function withoutHeader(string $name): static
    {
        return $this->withHead($this->head()->withoutHeader($name));
    }

    public function getRequestTarget(): string
    {
        return $this->head === null ? $this->request->target() : $this->head->getRequestTarget();
    }

    public function withRequestTarget(string $requestTarget): static
    {
        return $this->withHead($this->head()->withRequestTarget($requestTarget));
    }

    public function getMethod(): string
    {
        return $this->head === null ? $this->request->method() : $this->head->getMethod();
    }

    public function withMethod(string $method): static
    {
        return $this->withHead($this->head()->withMethod($method));
    }

    /** @throws BadRequest when the host and the target do not form a URI */
    public function getUri(): UriInterface
    {
        return $this->head === null ? $this->parts->uri ??= $this->uri() : $this->head->getUri();
    }

    public function withUri(UriInterface $uri, bool $preserveHost = false): static
    {
        return $this->withHead($this->head()->withUri($uri, $preserveHost));
    }

    // --- the body, form fields and files ---

    public function getBody(): StreamInterface
    {
        return $this->body ?? $this->parts->body ??= Stream::create($this->request->bodyStream());
    }

    public function withBody(StreamInterface $body): static
    {
        $copy = clone $this;
        $copy->body = $body;
        return $copy;
    }

    /**
     * The fields of the form in the body; null when the body is not a form, or what withParsedBody() has set.
     *
     * @return array<mixed>|object|null
     * @throws BadRequest when the form is malformed
     */
    public function getParsedBody(): array|object|null
    {
        if (!$this->isParsed) {
            $this->parsed = $this->isForm() ? $this->request->formAll() : null;
            $this->isParsed = true;
        }
        return $this->parsed;
    }

    /** @param array<mixed>|object|null $data */
    public function withParsedBody($data): static
    {
        if ($data !== null && !\is_array($data) && !\is_object($data)) { // @phpstan-ignore function.alreadyNarrowedType, booleanAnd.alwaysFalse
            throw new \InvalidArgumentException('A parsed body must be an array, an object or null, ' . \get_debug_type($data) . ' given');
        }
        $copy = clone $this;
        $copy->parsed = $data;
        $copy->isParsed = true;
        return $copy;
    }

    /**
     * The files of the form in the body; none when the body is not a form.
     *
     * @return array<mixed> of UploadedFileInterface, or of arrays of them
     * @throws BadRequest when the form is malformed
     */
    public function getUploadedFiles(): array
    {
        return $this->files ?? $this->parts->files ??= $this->isForm() ? self::wrap($this->request->files()) : [];
    }

    /** @param array<mixed> $uploadedFiles */
    public function withUploadedFiles(array $uploadedFiles): static
    {
        \array_walk_recursive($uploadedFiles, static function (mixed $file): void {
            if (!$file instanceof UploadedFileInterface) {
                throw new \InvalidArgumentException('Uploaded files must be UploadedFileInterface, ' . \get_debug_type($file) . ' given');
            }
        });
        $copy = clone $this;
        $copy->files = $uploadedFiles;
        return $copy;
    }

    // --- server parameters, cookies, query, attributes ---

    /** @return array<mixed> */
    public function getServerParams(): array
    {
        return $this->request->serverParams();
    }

    /** @return array<mixed> */
    public function getCookieParams(): array
    {
        return $this->cookies ?? $this->request->cookies();
    }

    /** @param array<mixed> $cookies */
    public function withCookieParams(array $cookies): static
    {
        $copy = clone $this;
        $copy->cookies = $cookies;
        return $copy;
    }

    /** @return array<mixed> */
    public function getQueryParams(): array
    {
        return $this->query ?? $this->request->queryAll();
    }

    /** @param array<mixed> $query */
    public function withQueryParams(array $query): static
    {
        $copy = clone $this;
        $copy->query = $query;
        return $copy;
    }

    /** @return array<mixed> the parameters of the route, the server's request by its class name, and attributes that were added */
    public function getAttributes(): array
    {
        return $this->attributes ??= [Request::class => $this->request] + $this->request->parameters();
    }

    public function getAttribute(string $name, $default = null): mixed
    {
        $attributes = $this->getAttributes();
        return \array_key_exists($name, $attributes) ? $attributes[$name] : $default;
    }

    public function withAttribute(string $name, $value): static
    {
        $copy = clone $this;
        $copy->attributes = [$name => $value] + $this->getAttributes();
        return $copy;
    }

    public function withoutAttribute(string $name): static
    {
        $copy = clone $this;
        $copy->attributes = $this->getAttributes();
        unset($copy->attributes[$name]);
        return $copy;
    }

    private function head(): Head
    {
        if ($this->head === null) {
            $target = $this->request->target();
            $head = new Head($this->request->method(), $this->getUri(), $this->request->headers(), null, $this->request->protocol());
            // The target as received; the head's own is another one for `*` and for an absolute target.
            $this->head = $head->getRequestTarget() === $target ? $head : $head->withRequestTarget($target);
        }
        return $this->head;
    }

    private function withHead(Head $head): static
    {
        $copy = clone $this;
        $copy->head = $head;
        return $copy;
    }

    private function uri(): Uri
    {
        $target = $this->request->target();
        // An absolute target, such as a client sends to a proxy, names the host, which host() returns.
        if (!\str_starts_with($target, '/')) {
            $target = $this->request->path() . ($this->request->queryString() === '' ? '' : "?{$this->request->queryString()}");
            $target = \str_starts_with($target, '/') ? $target : '';
        }
        $host = $this->request->host();
        try {
            // Without a host, a path that begins with two slashes would be taken for one.
            return new Uri($host === '' ? '/' . \ltrim($target, '/') : "{$this->request->scheme()}://$host$target");
        } catch (\InvalidArgumentException) {
            throw new BadRequest('The host and the target of the request do not form a URI');
        }
    }

    private function isForm(): bool
    {
        $type = \strtolower(\trim(\strtok((string) $this->request->header('content-type'), ';') ?: ''));
        return $type === 'application/x-www-form-urlencoded' || $type === 'multipart/form-data';
    }

    /**
     * @param array<mixed> $files
     * @return array<mixed>
     */
    private static function wrap(array $files): array
    {
        return \array_map(static fn(mixed $file) => match (true) {
            $file instanceof SluiceFile => new UploadedFile($file),
            \is_array($file) => self::wrap($file),
            default => throw new \LogicException('Request::files() has given ' . \get_debug_type($file)),
        }, $files);
    }
}
