<?php

declare(strict_types=1);

namespace Sluice\Http;

/**
 * A form as the body of a request: urlencoded or, with files, multipart/form-data (RFC 7578). Its length is known before it is sent.
 *
 * @internal
 */
final class ClientForm
{
    private const PIECE_BYTES = 65_536;

    /** @var list<array{string, string|FormFile}> names and values */
    private array $fields = [];
    private readonly string $boundary;
    private bool $hasFiles = false;

    /** @param array<mixed> $fields */
    public function __construct(array $fields)
    {
        foreach ($fields as $name => $value) {
            $this->add((string) $name, $value);
        }
        $this->boundary = \bin2hex(\random_bytes(16));
    }

    public function type(): string
    {
        return $this->hasFiles ? "multipart/form-data; boundary={$this->boundary}" : 'application/x-www-form-urlencoded';
    }

    /** @return string|self the body for Client::request() */
    public function body(): string|self
    {
        if ($this->hasFiles) {
            return $this;
        }
        $pairs = [];
        foreach ($this->fields as [$name, $value]) {
            if (\is_string($value)) {
                $pairs[] = \urlencode($name) . '=' . \urlencode($value);
            }
        }
        return \implode('&', $pairs);
    }

    /** The length of a form with files, in bytes. */
    public function size(): int
    {
        $size = \strlen($this->end());
        foreach ($this->fields as [$name, $value]) {
            $size += \strlen($this->head($name, $value)) + self::sizeOf($value);
        }
        return $size;
    }

    /**
     * The bytes of a form with files.
     *
     * @return \Generator<int, string>
     */
    public function pieces(): \Generator
    {
        foreach ($this->fields as [$name, $value]) {
            yield $this->head($name, $value);
            if (\is_string($value)) {
                yield $value;
            } elseif ($value->path === null) {
                yield $value->bytes;
            } else {
                yield from self::read($value->path, self::sizeOf($value));
            }
        }
        yield $this->end();
    }

    private function add(string $name, mixed $value): void
    {
        if (\is_array($value)) {
            foreach ($value as $key => $each) {
                $this->add($name . '[' . (\is_int($key) && \array_is_list($value) ? '' : $key) . ']', $each);
            }
        } elseif ($value instanceof FormFile) {
            $this->hasFiles = true;
            $this->fields[] = [$name, $value];
        } elseif (\is_scalar($value) || $value instanceof \Stringable) {
            $this->fields[] = [$name, (string) (\is_bool($value) ? (int) $value : $value)];
        } elseif ($value !== null) {
            throw new \TypeError("The form field $name must be a string, number, bool, null, FormFile or an array of them, "
                . \get_debug_type($value) . ' given');
        }
    }

    private function head(string $name, string|FormFile $value): string
    {
        // The line end in front of the first boundary is an empty preamble (RFC 2046 5.1.1).
        $head = "\r\n--{$this->boundary}\r\nContent-Disposition: form-data; name=\"" . self::quoted($name) . '"';
        if ($value instanceof FormFile) {
            $head .= '; filename="' . self::quoted($value->name) . "\"\r\nContent-Type: {$value->type}";
        }
        return "$head\r\n\r\n";
    }

    private function end(): string
    {
        return "\r\n--{$this->boundary}--\r\n";
    }

    private static function sizeOf(string|FormFile $value): int
    {
        if (\is_string($value)) {
            return \strlen($value);
        }
        return $value->path === null ? \strlen($value->bytes) : (int) @\filesize($value->path);
    }

    /** @return \Generator<int, string> exactly $size bytes, as Content-Length has announced */
    private static function read(string $path, int $size): \Generator
    {
        $file = @\fopen($path, 'rb');
        while ($file !== false && $size > 0) {
            $piece = \fread($file, \min($size, self::PIECE_BYTES));
            if ($piece === false || $piece === '') {
                break;
            }
            $size -= \strlen($piece);
            yield $piece;
        }
        if ($file === false || $size > 0) {
            throw new ProtocolException("The file \"$path\" of the form could not be read to its end");
        }
    }

    /** Escapes a name as browsers do. */
    private static function quoted(string $text): string
    {
        return \strtr($text, ['"' => '%22', "\r" => '%0D', "\n" => '%0A']);
    }
}
