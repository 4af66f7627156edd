<?php

declare(strict_types=1);

namespace Sluice\Http;

/**
 * A request of the HTTP client, checked.
 *
 * @internal
 */
final class ClientRequest
{
    private const TOKEN = '/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D';
    /** Fields about the connection and the end of the body, which the client alone sets. */
    private const RESERVED = ['content-length', 'transfer-encoding', 'te', 'upgrade', 'connection'];

    public readonly string $origin;
    /** @var list<string> */
    public readonly array $lines;
    /** The length of the body, where it is known. */
    public readonly ?int $size;
    /** @var null|\Closure(int): string gives at most that many bytes; '' at the end */
    public readonly ?\Closure $read;
    public readonly ?string $text;

    /**
     * @param array<string, string|list<string>> $headers
     * @param array<string, string|list<string>> $defaults
     * @param null|string|iterable<string>|resource|ClientForm $body
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        array $headers,
        array $defaults,
        mixed $body,
    ) {
        if (!\preg_match(self::TOKEN, $method)) {
            throw new \ValueError('The method must be a token of RFC 9110, ' . self::shown($method) . ' given');
        }
        $this->origin = self::originOf($url);
        $names = \array_change_key_case($headers);
        foreach ($defaults as $name => $value) {
            if (!isset($names[\strtolower((string) $name)])) {
                $headers[$name] = $value;
            }
        }
        $this->text = \is_string($body) ? $body : null;
        [$this->read, $this->size] = $body === null || \is_string($body) ? [null, null] : self::reader($body);
        $lines = self::headerLines($headers);
        // Keeps curl from adding fields: a guessed Content-Type, and an Expect whose "100 Continue" many servers never send.
        $names = \array_change_key_case($headers);
        $this->lines = [...$lines, ...\array_filter(
            ['Content-Type:', 'Expect:', 'Accept:'],
            static fn(string $line) => !isset($names[\strtolower(\substr($line, 0, -1))]),
        )];
    }

    /**
     * `$headers`, and the fields of the running code's trace that are not among them.
     *
     * @param array<string, string|list<string>> $headers
     * @return array<string, string|list<string>>
     */
    public static function withTrace(array $headers): array
    {
        $trace = Trace::current();
        return $trace === null ? $headers : $headers + \array_diff_key($trace->headers(), \array_change_key_case($headers));
    }

    /**
     * @param array<string, string|list<string>> $headers
     * @return list<string>
     */
    public static function headerLines(array $headers): array
    {
        $lines = [];
        foreach ($headers as $name => $values) {
            $name = (string) $name;
            if (!\preg_match(self::TOKEN, $name)) {
                throw new \ValueError('The name of a header field must be a token of RFC 9110, ' . self::shown($name) . ' given');
            }
            if (\in_array(\strtolower($name), self::RESERVED, true)) {
                throw new \ValueError("The header field $name must not be given: the client sets it itself");
            }
            foreach ((array) $values as $value) {
                if (!\is_string($value)) {
                    throw new \TypeError("The header field $name must have strings for values, " . \get_debug_type($value) . ' given');
                }
                if (\preg_match('/[\x00-\x08\x0a-\x1f\x7f]/', $value)) {
                    throw new \ValueError("The value of the header field $name must not have control characters, " . self::shown($value)
                        . ' given');
                }
                $value = \trim($value, " \t");
                // curl leaves out a field whose line ends with the colon; with a semicolon it sends the field empty.
                $lines[] = $value === '' ? "$name;" : "$name: $value";
            }
        }
        return $lines;
    }

    private static function originOf(string $url): string
    {
        $parts = \preg_match('/[\x00-\x20\x7f]/', $url) ? false : \parse_url($url);
        $scheme = \strtolower($parts['scheme'] ?? '');
        if ($parts === false || !isset($parts['host']) || ($scheme !== 'http' && $scheme !== 'https')) {
            throw new \ValueError('The URL must begin with http:// or https:// and a host, without spaces, ' . self::shown($url)
                . ' given');
        }
        $port = $parts['port'] ?? ($scheme === 'https' ? 443 : 80);
        return "$scheme://" . \strtolower($parts['host']) . ":$port";
    }

    /** @return array{\Closure(int): string, null|int} */
    private static function reader(mixed $body): array
    {
        if ($body instanceof ClientForm) {
            return [self::reader($body->pieces())[0], $body->size()];
        }
        if (\is_resource($body) && \get_resource_type($body) === 'stream') {
            $stat = \fstat($body);
            $place = \ftell($body);
            $isFile = $stat !== false && ($stat['mode'] & 0o170000) === 0o100000 && $place !== false;
            return [
                static function (int $most) use ($body): string {
                    $piece = \fread($body, $most);
                    if ($piece === false) {
                        throw new ProtocolException('The body to be sent could not be read from its stream');
                    }
                    return $piece;
                },
                $isFile ? \max(0, $stat['size'] - $place) : null,
            ];
        }
        if (!\is_iterable($body)) {
            throw new \TypeError('The body must be a string, an iterable of strings or a stream, ' . \get_debug_type($body) . ' given');
        }
        $pieces = (static fn() => yield from $body)();
        $piece = '';
        $place = 0;
        $begun = false;
        return [
            static function (int $most) use ($pieces, &$piece, &$place, &$begun): string {
                while ($place >= \strlen($piece)) {
                    $begun ? $pieces->next() : $pieces->rewind();
                    $begun = true;
                    if (!$pieces->valid()) {
                        return '';
                    }
                    $piece = $pieces->current();
                    $place = 0;
                    if (!\is_string($piece)) {
                        throw new \TypeError('The pieces of a body must be strings, ' . \get_debug_type($piece) . ' given');
                    }
                }
                $part = \substr($piece, $place, $most);
                $place += \strlen($part);
                return $part;
            },
            null,
        ];
    }

    private static function shown(string $text): string
    {
        return '"' . \addcslashes(\substr($text, 0, 100), "\0..\37\"\\\177..\377") . '"';
    }
}
