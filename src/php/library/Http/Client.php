<?php

declare(strict_types=1);

namespace Sluice\Http;

use Sluice\Internal\ProcessIdentity;

/**
 * An HTTP/1.1 client, on the extension curl. In a coroutine, a call that waits lets other coroutines run; elsewhere it blocks. Any
 * number of coroutines may use one client at once.
 *
 * It keeps connections open for later requests to an origin (scheme, host and port). By default it follows no redirects, uses no
 * proxy, and accepts only certificates that are valid for the host.
 */
final class Client
{
    /** @var array<string, non-empty-list<ClientLine>> idle connections by origin, the longest idle first */
    private array $idle = [];
    /** @var list<ClientLine> connections of the parent process of this fork: they must not be used or closed here */
    private array $inherited = [];
    private int $process;

    /**
     * @param array<string, string|list<string>> $headers sent with each request that has no field of that name
     * @param float $connectTimeout seconds for name resolution, connection and TLS, 0.001 to 86,400
     * @param float $timeout seconds for the whole exchange, up to the last byte of the body, 0.001 to 86,400
     * @param float $idleTimeout seconds in which no byte is sent or received, 0.001 to 86,400
     * @param int $maxResponseBytes longest body of a response, after decompression, 0 to 2 ** 40
     * @param int $redirects how many redirects to follow, 0 to 50. Credentials in $headers are sent to the first host only
     * @param null|string $proxy "http://[user:password@]host:port", also https, socks5 and socks5h; null: none, whatever the
     *     environment says
     * @param bool $verify false accepts any certificate: for tests only
     * @param null|string $caFile PEM file of the certificate authorities to trust; null: those of the system
     * @param null|string $certificate PEM file with the client's certificate; null: none
     * @param null|string $key PEM file with the private key of $certificate; null: it is in $certificate
     * @param bool $decompress whether to ask for compressed bodies and decompress them
     * @param int $keepAlive idle connections to keep for each origin, 0 to 10,000
     * @param float $keepAliveTime seconds to keep an idle connection, 1 to 86,400
     * @param bool $propagateTrace whether requests that are sent for a request to this server go on with its trace: whether they have
     *     the fields of Trace::headers() that $headers and the request do not set
     * @throws \ValueError for an argument that is malformed or out of range
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
        private readonly bool $propagateTrace = true,
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
        $this->process = ProcessIdentity::number();
    }

    /**
     * Sends a GET request, and returns when the head of its response has arrived.
     *
     * @param string $url http://... or https://...
     * @param array<string, string|list<string>> $headers
     * @param null|float $timeout seconds for the whole exchange, 0.001 to 86,400; null: the client's $timeout
     * @throws ClientException when there is no response
     * @throws \ValueError for an argument that is malformed or out of range
     */
    public function get(string $url, array $headers = [], ?float $timeout = null): ClientResponse
    {
        return $this->request('GET', $url, $headers, timeout: $timeout);
    }

    /**
     * Sends a POST request with this body, and returns when the head of its response has arrived.
     *
     * @param string $url http://... or https://...
     * @param string|iterable<string>|resource $body a string, an iterable that yields its pieces, or a stream
     * @param array<string, string|list<string>> $headers
     * @param null|float $timeout seconds for the whole exchange, 0.001 to 86,400; null: the client's $timeout
     * @throws ClientException when there is no response
     * @throws \ValueError for an argument that is malformed or out of range
     * @throws \TypeError for a body of another type
     */
    public function post(string $url, mixed $body = '', array $headers = [], ?float $timeout = null): ClientResponse
    {
        return $this->request('POST', $url, $headers, $body, $timeout);
    }

    /**
     * Sends a POST request with `$value` encoded as JSON, and returns when the head of its response has arrived.
     *
     * @param string $url http://... or https://...
     * @param array<string, string|list<string>> $headers
     * @param null|float $timeout seconds for the whole exchange, 0.001 to 86,400; null: the client's $timeout
     * @throws ClientException when there is no response
     * @throws \JsonException when the value cannot be encoded
     * @throws \ValueError for an argument that is malformed or out of range
     */
    public function postJson(string $url, mixed $value, array $headers = [], ?float $timeout = null): ClientResponse
    {
        $body = \json_encode($value, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE);
        return $this->request('POST', $url, $headers + ['Content-Type' => 'application/json'], $body, $timeout);
    }

    /**
     * Sends a POST request with a form, and returns when the head of its response has arrived. The form is urlencoded, or
     * multipart/form-data when a field is a FormFile. Files are read while they are sent, and are never whole in memory.
     *
     * @param string $url http://... or https://...
     * @param array<mixed> $fields by name: strings, numbers, bools (1 and 0), FormFile, or arrays of these, which are sent as `tags[]`
     *     and `user[name]`; null is left out
     * @param array<string, string|list<string>> $headers a Content-Type is ignored
     * @param null|float $timeout seconds for the whole exchange, 0.001 to 86,400; null: the client's $timeout
     * @throws ClientException when there is no response
     * @throws \ValueError for an argument that is malformed or out of range
     * @throws \TypeError for a field of another type
     */
    public function postForm(string $url, array $fields, array $headers = [], ?float $timeout = null): ClientResponse
    {
        $form = new ClientForm($fields);
        $headers = \array_filter($headers, static fn(string $name) => \strcasecmp($name, 'content-type') !== 0, \ARRAY_FILTER_USE_KEY);
        return $this->request('POST', $url, $headers + ['Content-Type' => $form->type()], $form->body(), $timeout);
    }

    /**
     * Sends a request, and returns when the head of its response has arrived. The body is received as it is read: the server waits
     * when the caller reads slowly.
     *
     * @param string $method a token of RFC 9110, sent unchanged
     * @param string $url http://... or https://...
     * @param array<string, string|list<string>> $headers without Content-Length and Transfer-Encoding, which the client sets
     * @param null|string|iterable<string>|resource|ClientForm $body a string, or an iterable or stream that is read while it is sent
     *     (chunked, unless it is a regular file); null: none
     * @param null|float $timeout seconds for the whole exchange, 0.001 to 86,400; null: the client's $timeout
     * @param null|int $maxResponseBytes longest body of the response, 0 to 2 ** 40; null: the client's
     * @param null|float $connectTimeout seconds for name resolution, connection and TLS, 0.001 to 86,400; null: the client's
     * @param null|float $idleTimeout seconds in which no byte is sent or received, 0.001 to 86,400; null: the client's
     * @throws \ValueError for an argument that is malformed or out of range; nothing is sent then
     * @throws \TypeError for a header or body of another type
     * @throws ConnectException when there is no connection
     * @throws TimeoutException when a time limit is reached
     * @throws TlsException when the server's certificate or TLS is not accepted
     * @throws ProtocolException when the response is not HTTP/1.1, breaks off, or redirects too often
     * @throws TooLargeException when the head of the response is longer than 256 KiB
     * @throws \Throwable what an iterable $body throws
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
        $request = new ClientRequest($method, $url, $headers, $this->propagateTrace ? ClientRequest::withTrace($this->headers) : $this->headers, $body);
        $line = $this->lineTo($request->origin);
        $transfer = new ClientTransfer(
            $line,
            $request,
            [
                \CURLOPT_CONNECTTIMEOUT_MS => self::milliseconds($connectTimeout),
                \CURLOPT_TIMEOUT_MS => self::milliseconds($timeout),
                \CURLOPT_FOLLOWLOCATION => $this->redirects > 0,
                \CURLOPT_MAXREDIRS => $this->redirects,
                // An empty proxy keeps curl from reading the environment.
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
        $process = ProcessIdentity::number();
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
