<?php

declare(strict_types=1);

namespace Sluice\Http;

/**
 * Makes HTTP/1.1 requests, by the extension curl: inside a coroutine the others run while it waits, elsewhere it blocks. Any
 * number of coroutines may use one client at once.
 *
 * It keeps connections open for later requests to the same scheme, host and port, follows no redirects and uses no proxy
 * unless it is told to, and accepts only certificates that are valid for the host.
 */
final class Client
{
    /** @var array<string, non-empty-list<ClientLine>> by origin; free, the longest free first */
    private array $idle = [];
    /** @var list<ClientLine> made by the process that this one is a fork of: neither to be used here nor to be closed */
    private array $inherited = [];
    private int $process;

    /**
     * @param array<string, string|list<string>> $headers sent with each request that has none of the same name
     * @param float $connectTimeout seconds for the name, the connection and TLS: 0.001 to 86400
     * @param float $timeout seconds for all of it, up to the last byte of the body: 0.001 to 86400
     * @param float $idleTimeout seconds in which not a byte moves: 0.001 to 86400
     * @param int $maxResponseBytes most that the body may be, once decompressed: 0 to 2 ** 40
     * @param int $redirects how many to follow: 0 to 50. Credentials given as headers stay with the first host.
     * @param null|string $proxy "http://[user:password@]host:port", also https, socks5 and socks5h; the environment is not asked
     * @param bool $verify false accepts any certificate: for tests only
     * @param null|string $caFile PEM file of the authorities to trust; null: the system's
     * @param null|string $certificate PEM file with this client's own certificate
     * @param null|string $key PEM file with its key; null: it is in $certificate
     * @param bool $decompress whether to ask for compressed bodies, and decompress them
     * @param int $keepAlive idle connections to keep for each origin: 0 to 10000
     * @param float $keepAliveTime seconds to keep them: 1 to 86400
     * @throws \ValueError
     * @throws ConnectException without the extension curl
     */
    public function __construct(
        private readonly array $headers = [],
        private readonly float $connectTimeout = 5.0,
        private readonly float $timeout = 60.0,
        private readonly float $idleTimeout = 30.0,
        private readonly int $maxResponseBytes = 16 << 20,
        private readonly int $redirects = 0,
        #[\SensitiveParameter]
        private readonly ?string $proxy = null,
        private readonly bool $verify = true,
        private readonly ?string $caFile = null,
        private readonly ?string $certificate = null,
        private readonly ?string $key = null,
        private readonly bool $decompress = true,
        private readonly int $keepAlive = 16,
        private readonly float $keepAliveTime = 30.0,
    ) {
        if (!\extension_loaded('curl')) {
            throw new ConnectException('Sluice\Http\Client needs PHP\'s extension curl, which is not loaded: install the package php-curl');
        }
        self::requireRange('connectTimeout', $connectTimeout, 0.001, 86_400);
        self::requireRange('timeout', $timeout, 0.001, 86_400);
        self::requireRange('idleTimeout', $idleTimeout, 0.001, 86_400);
        self::requireRange('maxResponseBytes', $maxResponseBytes, 0, 2 ** 40);
        self::requireRange('redirects', $redirects, 0, 50);
        self::requireRange('keepAlive', $keepAlive, 0, 10_000);
        self::requireRange('keepAliveTime', $keepAliveTime, 1, 86_400);
        if ($proxy !== null && !\preg_match('~^(https?|socks5h?)://[^\s/]+/?$~Di', $proxy)) {
            throw new \ValueError('Sluice\Http\Client: $proxy must be "scheme://[user:password@]host:port" with http, https, socks5 or'
                . ' socks5h');
        }
        foreach (['caFile' => $caFile, 'certificate' => $certificate, 'key' => $key] as $name => $file) {
            if ($file !== null && !\is_readable($file)) {
                throw new \ValueError("Sluice\Http\Client: \$$name must be a file that can be read, \"$file\" given");
            }
        }
        ClientRequest::headerLines($headers);
        $this->process = (int) \getmypid();
    }

    /**
     * @param array<string, string|list<string>> $headers
     * @param null|float $timeout seconds for all of it: 0.001 to 86400; null: the client's
     * @throws ClientException
     */
    public function get(string $url, array $headers = [], ?float $timeout = null): ClientResponse
    {
        return $this->request('GET', $url, $headers, timeout: $timeout);
    }

    /**
     * @param string|iterable<string>|resource $body see request()
     * @param array<string, string|list<string>> $headers
     * @param null|float $timeout see get()
     * @throws ClientException
     */
    public function post(string $url, mixed $body = '', array $headers = [], ?float $timeout = null): ClientResponse
    {
        return $this->request('POST', $url, $headers, $body, $timeout);
    }

    /**
     * Sends `$value` as JSON.
     *
     * @param array<string, string|list<string>> $headers
     * @param null|float $timeout see get()
     * @throws ClientException
     * @throws \JsonException
     */
    public function postJson(string $url, mixed $value, array $headers = [], ?float $timeout = null): ClientResponse
    {
        $body = \json_encode($value, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE);
        return $this->request('POST', $url, $headers + ['Content-Type' => 'application/json'], $body, $timeout);
    }

    /**
     * Sends a form as a browser does: urlencoded, or as multipart/form-data when one of its fields is a FormFile. Files are
     * read while they are sent, and never stand in memory.
     *
     * @param array<mixed> $fields by name: strings, numbers, bools (1 and 0), FormFile, or arrays of these, as `tags[]` and
     *     `user[name]`; null is left out
     * @param array<string, string|list<string>> $headers not Content-Type
     * @param null|float $timeout see get()
     * @throws ClientException
     * @throws \TypeError for a field that is something else
     */
    public function postForm(string $url, array $fields, array $headers = [], ?float $timeout = null): ClientResponse
    {
        $form = new ClientForm($fields);
        $headers = \array_filter($headers, static fn(string $name) => \strcasecmp($name, 'content-type') !== 0, \ARRAY_FILTER_USE_KEY);
        return $this->request('POST', $url, $headers + ['Content-Type' => $form->type()], $form->body(), $timeout);
    }

    /**
     * Sends a request and returns when the head of its response is there. The body comes as it is asked for: a server
     * that sends faster than the response is read has to wait.
     *
     * @param string $method a token of RFC 9110, sent as it is
     * @param string $url beginning with http:// or https://
     * @param array<string, string|list<string>> $headers not Content-Length or Transfer-Encoding, which follow from the body
     * @param null|string|iterable<string>|resource|ClientForm $body all of it, or what gives its pieces while it is sent (chunked,
     *     unless it is a regular file)
     * @param null|float $timeout instead of the client's
     * @param null|int $maxResponseBytes instead of the client's
     * @param null|float $connectTimeout instead of the client's
     * @param null|float $idleTimeout instead of the client's
     * @throws \ValueError before anything is sent
     * @throws ConnectException
     * @throws TimeoutException
     * @throws TlsException
     * @throws ProtocolException
     * @throws TooLargeException
     */
    public function request(
        string $method,
        string $url,
        array $headers = [],
        mixed $body = null,
        ?float $timeout = null,
        ?int $maxResponseBytes = null,
        ?float $connectTimeout = null,
        ?float $idleTimeout = null,
    ): ClientResponse {
        self::requireRange('timeout', $timeout ??= $this->timeout, 0.001, 86_400);
        self::requireRange('maxResponseBytes', $maxResponseBytes ??= $this->maxResponseBytes, 0, 2 ** 40);
        self::requireRange('connectTimeout', $connectTimeout ??= $this->connectTimeout, 0.001, 86_400);
        self::requireRange('idleTimeout', $idleTimeout ??= $this->idleTimeout, 0.001, 86_400);
        $request = new ClientRequest($method, $url, $headers, $this->headers, $body);
        $line = $this->lineTo($request->origin);
        $transfer = new ClientTransfer(
            $line,
            $request,
            [
                \CURLOPT_CONNECTTIMEOUT_MS => self::milliseconds($connectTimeout),
                \CURLOPT_TIMEOUT_MS => self::milliseconds($timeout),
                \CURLOPT_FOLLOWLOCATION => $this->redirects > 0,
                \CURLOPT_MAXREDIRS => $this->redirects,
                // An empty one keeps curl from asking the environment.
                \CURLOPT_PROXY => $this->proxy ?? '',
                \CURLOPT_SSL_VERIFYPEER => $this->verify,
                \CURLOPT_SSL_VERIFYHOST => $this->verify ? 2 : 0,
                \CURLOPT_MAXAGE_CONN => (int) $this->keepAliveTime,
                \CURLOPT_FORBID_REUSE => $this->keepAlive === 0,
            ]
                + ($this->caFile === null ? [] : [\CURLOPT_CAINFO => $this->caFile])
                + ($this->certificate === null ? [] : [\CURLOPT_SSLCERT => $this->certificate])
                + ($this->key === null ? [] : [\CURLOPT_SSLKEY => $this->key])
                + ($this->decompress ? [\CURLOPT_ENCODING => ''] : []),
            $idleTimeout,
            $maxResponseBytes,
            $this->redirects > 0,
            fn(ClientLine $line) => $this->takeBack($line, $request->origin),
        );
        return $transfer->begin();
    }

    private function lineTo(string $origin): ClientLine
    {
        $this->noticeFork();
        if (!isset($this->idle[$origin])) {
            return new ClientLine();
        }
        $line = \array_pop($this->idle[$origin]);
        if ($this->idle[$origin] === []) {
            unset($this->idle[$origin]);
        }
        return $line;
    }

    private function takeBack(ClientLine $line, string $origin): void
    {
        $this->noticeFork();
        if ($line->process !== $this->process) {
            $this->inherited[] = $line;
            return;
        }
        $line->idleSince = \hrtime(true) / 1e9;
        $this->idle[$origin][] = $line;
        if (\count($this->idle[$origin]) > $this->keepAlive) {
            \array_shift($this->idle[$origin]);
        }
        $before = $line->idleSince - $this->keepAliveTime;
        foreach ($this->idle as $each => $lines) {
            while ($lines !== [] && $lines[0]->idleSince < $before) {
                \array_shift($lines);
            }
            if ($lines === []) {
                unset($this->idle[$each]);
            } else {
                $this->idle[$each] = $lines;
            }
        }
    }

    private function noticeFork(): void
    {
        $process = (int) \getmypid();
        if ($this->process !== $process) {
            $this->process = $process;
            $this->inherited = \array_merge($this->inherited, ...\array_values($this->idle));
            $this->idle = [];
        }
    }

    private function __clone() {}

    private static function milliseconds(float $seconds): int
    {
        return (int) \ceil($seconds * 1000);
    }

    private static function requireRange(string $name, int|float $value, int|float $least, int|float $most): void
    {
        if (!($value >= $least && $value <= $most)) {
            throw new \ValueError("Sluice\Http\Client: \$$name must be between $least and $most, $value given");
        }
    }
}
