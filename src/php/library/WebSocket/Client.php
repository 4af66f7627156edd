<?php

declare(strict_types=1);

namespace Sluice\WebSocket;

use Sluice\Http\Trace;
use Sluice\Internal\ProcessIdentity;
use Sluice\Internal\Waiter;
use Sluice\Internal\WebSocketEndpoint;

/**
 * A client's connection to a WebSocket server (RFC 6455), with compression (RFC 7692). In a coroutine, a call that waits lets other
 * coroutines run; elsewhere it blocks. One coroutine may receive while others send.
 *
 * Pings are answered and sent ($pingInterval) only while a call of receive() waits. The connection is closed when the object is
 * released.
 *
 * @implements \IteratorAggregate<int, Message>
 */
final class Client implements \IteratorAggregate
{
    private const READ_BYTES = 65_536;
    private const PATIENCE_S = 1.0;
    private const FOREVER_S = 1e8;
    /** Header fields that the client writes itself. */
    private const RESERVED = [
        'host', 'connection', 'upgrade', 'content-length', 'transfer-encoding', 'sec-websocket-key', 'sec-websocket-version',
        'sec-websocket-protocol', 'sec-websocket-extensions', 'sec-websocket-accept',
    ];

    /** The sub-protocol that the server has chosen, or ''. */
    public readonly string $protocol;
    /** Whether compression was agreed on. */
    public readonly bool $compressed;

    private WebSocketEndpoint $endpoint;
    /** @var null|resource */
    private $stream;
    /** Bytes being written. TLS wants an unfinished write repeated with the same bytes, so others wait in $queued. */
    private string $current = '';
    private string $queued = '';
    private bool $isWriting = false;
    /** @var \SplQueue<Waiter> */
    private \SplQueue $writers;
    private bool $isReceiving = false;
    /** How many coroutines wait for the stream. */
    private int $waits = 0;
    private bool $closeSent = false;
    private int $closeCode = 0;
    private string $closeReason = '';
    private int $process;
    private float $heardAt;
    private bool $pinged = false;

    /** @param array<string, mixed> $options */
    private function __construct(array $options, private readonly float $sendTimeout, private readonly float $pingInterval)
    {
        $this->endpoint = new WebSocketEndpoint(...$options);
        $this->writers = new \SplQueue();
        $this->process = ProcessIdentity::number();
        $this->heardAt = self::now();
    }

    /**
     * Connects to a server and makes the handshake.
     *
     * @param string $url ws://host[:port][/path][?query] or wss://...
     * @param array<string, string> $headers further header fields of the handshake, such as Origin, Authorization, Cookie
     * @param list<string> $protocols sub-protocols to offer, the preferred first
     * @param bool $compress whether to offer permessage-deflate
     * @param int $level of compression, 1 (fastest) to 9 (smallest)
     * @param int $minBytes messages with fewer bytes are sent uncompressed, 0 to 2 ** 30
     * @param float $connectTimeout seconds for connection, TLS and handshake, 0.001 to 86,400
     * @param float $sendTimeout seconds in which the server may take no byte of what is sent, 0.001 to 86,400
     * @param float $pingInterval seconds without a byte from the server after which a ping is sent, 0.001 to 86,400. Without an
     *     answer for as long, the connection counts as broken. 0: no pings
     * @param int $maxMessageBytes longest message to receive, after inflating, 1 to 2 ** 30
     * @param int $maxFragments frames of one message at most, 1 to 1,000,000
     * @param bool $verify false accepts any certificate: for tests only
     * @param null|string $caFile PEM file of the certificate authorities to trust; null: those of the system
     * @param null|string $certificate PEM file with the client's certificate; null: none
     * @param null|string $key PEM file with the private key of $certificate; null: it is in $certificate
     * @param bool $propagateTrace whether a handshake that is made for a request to this server goes on with its trace: whether it has
     *     the fields of Trace::headers() that $headers does not set
     * @throws \ValueError for an argument that is malformed or out of range
     * @throws ConnectException when there is no connection, or TLS fails
     * @throws HandshakeException when the server does not accept the handshake
     * @throws TimeoutException when the handshake takes longer than $connectTimeout
     */
    public static function connect(
        string $url,
        array $headers = [],
        array $protocols = [],
        bool $compress = true,
        int $level = 1,
        int $minBytes = 256,
        float $connectTimeout = 5.0,
        float $sendTimeout = 30.0,
        float $pingInterval = 30.0,
        int $maxMessageBytes = 16 << 20,
        int $maxFragments = 1024,
        bool $verify = true,
        ?string $caFile = null,
        ?string $certificate = null,
        ?string $key = null,
        bool $propagateTrace = true,
    ): self {
        self::requireRange('connectTimeout', $connectTimeout, 0.001, 86_400);
        self::requireRange('sendTimeout', $sendTimeout, 0.001, 86_400);
        if ($pingInterval !== 0.0) {
            self::requireRange('pingInterval', $pingInterval, 0.001, 86_400);
        }
        self::requireRange('level', $level, 1, 9);
        self::requireRange('minBytes', $minBytes, 0, 1 << 30);
        self::requireRange('maxMessageBytes', $maxMessageBytes, 1, 1 << 30);
        self::requireRange('maxFragments', $maxFragments, 1, 1_000_000);
        $address = self::addressOf($url);
        if ($propagateTrace) {
            $headers += \array_diff_key(Trace::current()?->headers() ?? [], \array_change_key_case($headers));
        }
        $fields = self::fieldsOf($headers, $protocols);

        $client = new self([$maxMessageBytes, $maxFragments, $level, $minBytes], $sendTimeout, $pingInterval);
        $until = self::now() + $connectTimeout;
        $tls = \array_filter(
            ['cafile' => $caFile, 'local_cert' => $certificate, 'local_pk' => $key],
            static fn(?string $file): bool => $file !== null,
        ) + [
            'verify_peer' => $verify,
            'verify_peer_name' => $verify,
            'allow_self_signed' => !$verify,
            'crypto_method' => \STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT | \STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT,
            'peer_name' => \trim($address['host'], '[]'),
        ];
        $client->open($url, $address, $tls, $connectTimeout);
        $client->shakeHands($address, $fields, $protocols, $compress, $until);
        return $client;
    }

    /**
     * Sends a message, and returns when the kernel has taken it.
     *
     * @param bool $binary whether to send a binary message instead of a text message
     * @throws \ValueError when $binary is false and $data is not UTF-8
     * @throws TimeoutException when the server takes no byte for $sendTimeout. The rest of the message is sent in front of the next
     *     one
     * @throws ClosedException when the connection is closed
     */
    public function send(string $data, bool $binary = false): void
    {
        $this->requireSendable();
        $this->write($this->frame('send', fn(): string => $this->endpoint->frame($binary ? 2 : 1, $data)));
    }

    /**
     * Sends a ping (RFC 6455 5.5.2). The server's pong is not reported.
     *
     * @param string $data up to 125 bytes
     * @throws \ValueError when it is longer
     * @throws TimeoutException when the server takes no byte for $sendTimeout
     * @throws ClosedException when the connection is closed
     */
    public function ping(string $data = ''): void
    {
        $this->requireSendable();
        $this->write($this->frame('ping', fn(): string => $this->endpoint->frame(9, $data)));
    }

    /**
     * Waits for the next message.
     *
     * @param null|float $timeout seconds, 0 (a message that has arrived already) to 86,400; null: no limit
     * @return null|Message null when the connection was closed by a close handshake; closeCode() says why
     * @throws \ValueError when $timeout is out of range
     * @throws TimeoutException when no message arrives within $timeout
     * @throws ClosedException when the connection broke off, or the server has violated the protocol
     * @throws \LogicException when another coroutine receives already
     */
    public function receive(?float $timeout = null): ?Message
    {
        if ($timeout !== null) {
            self::requireRange('timeout', $timeout, 0, 86_400);
        }
        $until = self::now() + ($timeout ?? self::FOREVER_S);
        return $this->asReceiver(fn(): ?Message => $this->nextMessage($until, $timeout));
    }

    /**
     * For foreach: the messages, until the connection is closed by a close handshake.
     *
     * @return \Generator<int, Message>
     * @throws ClosedException when the connection broke off, or the server has violated the protocol
     * @throws TimeoutException when the server takes no byte of a pong for $sendTimeout
     * @throws \LogicException when another coroutine receives already
     */
    public function getIterator(): \Generator
    {
        while (($message = $this->receive()) !== null) {
            yield $message;
        }
    }

    /**
     * Sends a close frame, and waits for the server's. When another coroutine receives, that one waits for the frame instead.
     * Messages that arrive before it are dropped. A further call does nothing.
     *
     * @param int $code 1000 to 1003, 1007 to 1009, 1011 to 1014, 3000 to 4999
     * @param string $reason up to 123 bytes of UTF-8
     * @param float $timeout seconds to wait for the server, 0 to 86,400
     * @throws \ValueError when an argument is not allowed
     */
    public function close(int $code = 1000, string $reason = '', float $timeout = 5.0): void
    {
        self::requireRange('timeout', $timeout, 0, 86_400);
        if ($this->stream === null || $this->closeSent) {
            return;
        }
        $frame = $this->frame('close', fn(): string => $this->endpoint->closeFrame($code === 1005 ? 0 : $code, $reason));
        $until = self::now() + $timeout;
        try {
            $this->closeSent = true;
            $this->write($frame, $timeout);
            if (!$this->isReceiving) {
                $this->asReceiver(function () use ($until): void {
                    while ($this->nextMessage($until, 0.0) !== null);
                });
            }
        } catch (TimeoutException | ClosedException) {
            $this->end(1006, '');
        }
    }

    /** Whether messages can be sent: no close frame was sent or received, and the connection has not broken off. */
    public function isOpen(): bool
    {
        return $this->stream !== null && !$this->closeSent;
    }

    /** The close code of the server (RFC 6455 7.4.1): 1005 when it gave none, 1006 when the connection broke off; 0 while it is open. */
    public function closeCode(): int
    {
        return $this->closeCode;
    }

    /** The reason in the server's close frame; '' without one. */
    public function closeReason(): string
    {
        return $this->closeReason;
    }

    public function __destruct()
    {
        // In a fork the descriptor is the parent's too, and is not closed: TLS would send its close_notify.
        if (isset($this->stream) && $this->process === ProcessIdentity::number()) {
            if (!$this->closeSent && $this->current === '' && isset($this->protocol)) {
                @\fwrite($this->stream, $this->endpoint->closeFrame(1001, ''));
            }
            \fclose($this->stream);
        }
    }

    private function __clone() {}

    // --- the handshake ---

    /**
     * @param array{scheme: string, host: string, port: int, target: string, authority: string} $address
     * @param array<string, mixed> $tls
     */
    private function open(string $url, array $address, array $tls, float $timeout): void
    {
        $transport = $address['scheme'] === 'wss' ? 'tls' : 'tcp';
        if (!\in_array($transport, \stream_get_transports(), true)) {
            throw new ConnectException("$url needs PHP's extension openssl, which is not loaded");
        }
        \error_clear_last();
        $stream = @\stream_socket_client(
            "$transport://{$address['host']}:{$address['port']}",
            $number,
            $words,
            $timeout,
            \STREAM_CLIENT_CONNECT,
            \stream_context_create(['ssl' => $tls, 'socket' => ['tcp_nodelay' => true]]),
        );
        if ($stream === false) {
            $words = $words !== '' ? $words : (\error_get_last()['message'] ?? 'no connection');
            throw new ConnectException("$url: $words", $number);
        }
        \stream_set_blocking($stream, false);
        \stream_set_chunk_size($stream, self::READ_BYTES);
        \stream_set_write_buffer($stream, 0);
        $this->stream = $stream;
    }

    /**
     * @param array{scheme: string, host: string, port: int, target: string, authority: string} $address
     * @param list<string> $protocols
     */
    private function shakeHands(array $address, string $fields, array $protocols, bool $compress, float $until): void
    {
        $key = \base64_encode(\random_bytes(16));
        $offered = \implode(', ', $protocols);
        try {
            $this->write("GET {$address['target']} HTTP/1.1\r\nHost: {$address['authority']}\r\nUpgrade: websocket\r\n"
                . "Connection: Upgrade\r\nSec-WebSocket-Key: $key\r\nSec-WebSocket-Version: 13\r\n"
                . ($offered !== '' ? "Sec-WebSocket-Protocol: $offered\r\n" : '')
                . ($compress ? 'Sec-WebSocket-Extensions: ' . WebSocketEndpoint::DEFLATE_OFFER . "\r\n" : '') . "$fields\r\n",
                \max(0.001, $until - self::now()));
            $bytes = '';
            while (($end = \strpos($bytes, "\r\n\r\n")) === false) {
                if (\strlen($bytes) >= WebSocketEndpoint::MAX_ANSWER_BYTES) {
                    throw new HandshakeException('The head of the response is longer than ' . WebSocketEndpoint::MAX_ANSWER_BYTES
                        . ' bytes');
                }
                $more = $this->read($until);
                if ($more === null) {
                    throw new HandshakeException('The server has closed the connection instead of answering the handshake');
                }
                if ($more === '') {
                    throw new TimeoutException('There was no response to the handshake in time (connectTimeout)');
                }
                $bytes .= $more;
            }
        } catch (ClosedException $e) {
            throw new HandshakeException('The connection broke off during the handshake', 0, $e);
        }
        [$status, $protocol, $compressed, $refusal]
            = $this->endpoint->answer(\substr($bytes, 0, $end + 4), $key, $offered, $compress);
        if ($refusal !== '') {
            throw new HandshakeException($refusal, $status);
        }
        $this->protocol = $protocol;
        $this->compressed = $compressed;
        $this->endpoint->feed(\substr($bytes, $end + 4));
    }

    /** @return array{scheme: string, host: string, port: int, target: string, authority: string} */
    private static function addressOf(string $url): array
    {
        $parts = \preg_match('/[\x00-\x20\x7f#]/', $url) ? false : \parse_url($url);
        $scheme = \strtolower($parts['scheme'] ?? '');
        if ($parts === false || ($scheme !== 'ws' && $scheme !== 'wss') || !isset($parts['host']) || isset($parts['user'])) {
            throw new \ValueError('The URL must begin with ws:// or wss:// and a host, and have no spaces, user or fragment, "'
                . \addcslashes(\substr($url, 0, 100), "\0..\37\"\\\177..\377") . '" given');
        }
        $default = $scheme === 'wss' ? 443 : 80;
        $port = $parts['port'] ?? $default;
        return [
            'scheme' => $scheme,
            'host' => $parts['host'],
            'port' => $port,
            'target' => ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : ''),
            'authority' => $parts['host'] . ($port === $default ? '' : ":$port"),
        ];
    }

    /**
     * @param array<string, string> $headers
     * @param list<string> $protocols
     */
    private static function fieldsOf(array $headers, array $protocols): string
    {
        $token = '/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D';
        foreach ($protocols as $protocol) {
            if (!\is_string($protocol) || !\preg_match($token, $protocol)) {
                throw new \ValueError('Each sub-protocol must be a token of RFC 9110');
            }
        }
        if (\count(\array_unique($protocols)) !== \count($protocols)) {
            throw new \ValueError('Each sub-protocol may be offered once only');
        }
        $fields = '';
        foreach ($headers as $name => $value) {
            if (!\preg_match($token, (string) $name) || \in_array(\strtolower((string) $name), self::RESERVED, true)) {
                throw new \ValueError("The name of a header field must be a token of RFC 9110, and none of the handshake's own, \""
                    . \addcslashes((string) $name, "\0..\37\"\\\177..\377") . '" given');
            }
            if (!\is_string($value) || \preg_match('/[\x00-\x08\x0a-\x1f\x7f]/', $value)) {
                throw new \ValueError("The value of the header field $name must be a string without control characters");
            }
            $fields .= "$name: $value\r\n";
        }
        return $fields;
    }

    // --- receiving ---

    /**
     * @template R
     * @param \Closure(): R $what
     * @return R
     */
    private function asReceiver(\Closure $what): mixed
    {
        if ($this->isReceiving) {
            throw new \LogicException('Another coroutine receives from this WebSocket already: let one of them do so, and hand on what'
                . ' it gets');
        }
        $this->isReceiving = true;
        try {
            return $what();
        } finally {
            $this->isReceiving = false;
        }
    }

    /** @param null|float $timeout of the caller, for the message of the exception */
    private function nextMessage(float $until, ?float $timeout): ?Message
    {
        for (;;) {
            if ($this->stream === null) {
                return $this->closedAnswer();
            }
            $event = $this->endpoint->next();
            if ($event === null) {
                $this->receiveMore($until, $timeout);
                continue;
            }
            [$opcode, $payload, $code] = $event;
            switch ($opcode) {
                case 1:
                case 2:
                    return new Message($payload, $opcode === 2);
                case 9:
                    if (!$this->closeSent) {
                        $this->write($this->endpoint->frame(10, $payload));
                    }
                    break;
                case 8:
                    $this->answerClose($code, $payload);
                    return null;
                case -1:
                    $this->fail($code, $payload);
            }
        }
    }

    private function receiveMore(float $until, ?float $timeout): void
    {
        $limit = $this->pingInterval > 0 ? \min($until, $this->heardAt + $this->pingInterval) : $until;
        $bytes = $this->read($limit);
        if ($bytes === null) {
            $this->end(1006, '');
        } elseif ($bytes !== '') {
            $this->heardAt = self::now();
            $this->pinged = false;
            $this->endpoint->feed($bytes);
        } elseif (self::now() >= $until) {
            throw new TimeoutException("No message has come within $timeout s");
        } elseif (self::now() < $limit) {
            return;
        } elseif ($this->pinged) {
            $this->end(1006, '');
            throw new ClosedException("The server has not answered a ping for {$this->pingInterval} s (pingInterval)", 1006);
        } elseif (!$this->closeSent) {
            $this->pinged = true;
            $this->heardAt = self::now();
            $this->write($this->endpoint->frame(9, ''));
        } else {
            $this->heardAt = self::now();
        }
    }

    private function closedAnswer(): ?Message
    {
        if ($this->closeCode === 1006) {
            throw new ClosedException('The connection is broken', 1006);
        }
        return null;
    }

    private function answerClose(int $code, string $reason): void
    {
        try {
            if (!$this->closeSent) {
                $this->closeSent = true;
                $this->write($this->endpoint->closeFrame(\in_array($code, [1005, 1010], true) ? 1005 : $code, ''), self::PATIENCE_S);
            }
            // The server closes first, so that the TIME_WAIT is on its side (RFC 6455 7.1.1).
            $until = self::now() + self::PATIENCE_S;
            while (($more = $this->read($until)) !== null && $more !== '');
        } catch (ClosedException | TimeoutException) {
            // The server has closed the connection first.
        }
        $this->end($code, $reason);
    }

    private function fail(int $code, string $sentence): never
    {
        try {
            if (!$this->closeSent) {
                $this->closeSent = true;
                $this->write($this->endpoint->closeFrame($code, $sentence), self::PATIENCE_S);
            }
        } catch (ClosedException | TimeoutException) {
            // The exception below says what is wrong.
        }
        $this->end(1006, '');
        throw new ClosedException("The server has broken the protocol: $sentence", $code);
    }

    /** The bytes that have arrived; '' when none did until `$until`; null at the end of the connection. */
    private function read(float $until): ?string
    {
        for (;;) {
            $stream = $this->stream;
            if ($stream === null) {
                return null;
            }
            $bytes = @\fread($stream, self::READ_BYTES);
            if ($bytes !== false && $bytes !== '') {
                return $bytes;
            }
            if ($bytes === false || \feof($stream)) {
                return null;
            }
            $left = $until - self::now();
            if ($left <= 0 || !$this->waitFor($stream, false, $left)) {
                return '';
            }
        }
    }

    // --- sending ---

    /** Sends the frame behind the bytes that wait already; one coroutine writes at a time. */
    private function write(string $frame, ?float $timeout = null): void
    {
        $timeout ??= $this->sendTimeout;
        $this->queued .= $frame;
        while ($this->isWriting) {
            $waiter = new Waiter();
            $this->writers->enqueue($waiter);
            if (!$waiter->wait($timeout)) {
                throw new TimeoutException("The server has taken nothing for $timeout s (sendTimeout)");
            }
        }
        $this->isWriting = true;
        try {
            $this->writeAll($timeout);
        } finally {
            $this->isWriting = false;
            // All are woken: the bytes of some may be sent already, and some may have stopped waiting.
            while (!$this->writers->isEmpty()) {
                $this->writers->dequeue()->wake();
            }
        }
    }

    private function writeAll(float $timeout): void
    {
        while ($this->current !== '' || $this->queued !== '') {
            if ($this->current === '') {
                $this->current = $this->queued;
                $this->queued = '';
            }
            $stream = $this->stream;
            $written = $stream === null ? false : @\fwrite($stream, $this->current);
            if ($written === false) {
                $this->end(1006, '');
                throw new ClosedException('The connection broke off while something was sent', 1006);
            }
            if ($written === 0) {
                if (!$this->waitFor($stream, true, $timeout)) {
                    throw new TimeoutException("The server has taken nothing for $timeout s (sendTimeout)");
                }
            } elseif ($written === \strlen($this->current)) {
                $this->current = '';
            } else {
                $this->current = \substr($this->current, $written);
            }
        }
    }

    /** @param resource $stream */
    private function waitFor($stream, bool $write, float $seconds): bool
    {
        ++$this->waits;
        try {
            return Waiter::forStream($stream, $write, $seconds);
        } finally {
            --$this->waits;
        }
    }

    /** @param \Closure(): string $make */
    private function frame(string $method, \Closure $make): string
    {
        try {
            return $make();
        } catch (\ValueError $e) {
            $sentence = \substr($e->getMessage(), (int) \strpos($e->getMessage(), '$'));
            throw new \ValueError("Sluice\WebSocket\Client::$method(): " . \str_replace(['$payload)', '$reason)', '$code)'], ['$data', '$reason', '$code'], $sentence));
        }
    }

    private function requireSendable(): void
    {
        if ($this->stream === null || $this->closeSent) {
            throw new ClosedException('The connection is closed', $this->closeCode ?: 1000);
        }
    }

    private function end(int $code, string $reason): void
    {
        $stream = $this->stream;
        $this->stream = null;
        $this->current = $this->queued = '';
        if ($stream !== null) {
            $this->closeCode = $code;
            $this->closeReason = $reason;
            if ($this->waits > 0) {
                // Wakes the coroutines that wait for the stream; the descriptor is closed when they have released it.
                @\stream_socket_shutdown($stream, \STREAM_SHUT_RDWR);
            } else {
                \fclose($stream);
            }
        }
    }

    private static function now(): float
    {
        return \hrtime(true) / 1e9;
    }

    private static function requireRange(string $name, int|float $value, int|float $least, int|float $most): void
    {
        if (!($value >= $least && $value <= $most)) {
            throw new \ValueError("Sluice\WebSocket\Client: \$$name must be between $least and $most, $value given");
        }
    }
}
