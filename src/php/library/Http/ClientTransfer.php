<?php

declare(strict_types=1);

namespace Sluice\Http;

use Sluice\Coroutine;
use Sluice\Internal\ProcessIdentity;

/**
 * A curl handle, with the connection that its last transfer has left open.
 *
 * @internal
 */
final class ClientLine
{
    public readonly \CurlMultiHandle $multi;
    public readonly \CurlHandle $handle;
    public readonly int $process;
    public float $idleSince = 0.0;

    public function __construct()
    {
        $this->multi = \curl_multi_init();
        \curl_multi_setopt($this->multi, \CURLMOPT_MAXCONNECTS, 1);
        $this->handle = \curl_init();
        $this->process = ProcessIdentity::number();
    }
}

/**
 * The part of a response that has arrived. It is not part of ClientTransfer, for the callbacks of the curl handle refer to it and must
 * not refer to the transfer.
 *
 * @internal
 */
final class ClientArrival
{
    private const MOST_HEAD_BYTES = 256 << 10;
    /** CURL_READFUNC_ABORT: tells curl to abort the transfer. */
    private const ABORT = 0x10000000;

    public int $status = 0;
    public string $reason = '';
    /** @var array<string, list<string>> */
    public array $headers = [];
    public bool $hasHead = false;
    public string $body = '';
    public int $bodyBytes = 0;
    public int $headBytes = 0;
    /** Grows with each piece that is sent or received. */
    public int $moved = 0;
    public ?\Throwable $failure = null;

    public function __construct(private readonly int $mostBytes, private readonly bool $redirects) {}

    public function header(string $line): int
    {
        $size = \strlen($line);
        ++$this->moved;
        $this->headBytes += $size;
        if ($this->headBytes > self::MOST_HEAD_BYTES) {
            $this->failure = new TooLargeException('The head of the response is longer than ' . self::MOST_HEAD_BYTES . ' bytes');
            return -1;
        }
        if ($this->hasHead) {
            // Trailer fields.
            return $size;
        }
        $line = \rtrim($line, "\r\n");
        if ($line === '') {
            $isRedirect = $this->redirects && $this->status >= 300 && $this->status < 400 && isset($this->headers['location']);
            $this->hasHead = $this->status >= 200 && !$isRedirect;
        } elseif (\preg_match('~^HTTP/1\.[01] ([1-9]\d\d)(?: (.*))?$~Ds', $line, $match)) {
            $this->status = (int) $match[1];
            $this->reason = $match[2] ?? '';
            $this->headers = [];
        } elseif (\preg_match('/^([!#$%&\'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/Ds', $line, $match)
            && !\str_contains($match[2], "\r") && !\str_contains($match[2], "\0")) {
            $this->headers[\strtolower($match[1])][] = $match[2];
        } else {
            $this->failure = new ProtocolException('The head of the response has a line that is no header field: "'
                . \addcslashes(\substr($line, 0, 100), "\0..\37\"\\\177..\377") . '"');
            return -1;
        }
        return $size;
    }

    public function write(string $data): int
    {
        $size = \strlen($data);
        ++$this->moved;
        if (!$this->hasHead) {
            // The body of a redirect that is followed.
            return $size;
        }
        $this->bodyBytes += $size;
        if ($this->bodyBytes > $this->mostBytes) {
            $this->failure = new TooLargeException("The body of the response is longer than {$this->mostBytes} bytes: raise maxResponseBytes");
            return -1;
        }
        $this->body .= $data;
        return $size;
    }

    /** @param \Closure(int): string $read */
    public function read(\Closure $read, int $most): string|int
    {
        ++$this->moved;
        try {
            return $read($most);
        } catch (\Throwable $e) {
            // Otherwise curl would end the body here, and it would look complete.
            $this->failure = $e;
            return self::ABORT;
        }
    }
}

/**
 * One request and its response. A call that waits for a part of the response moves the transfer on.
 *
 * @internal
 */
final class ClientTransfer
{
    private readonly ClientArrival $arrival;
    private ?ClientLine $line;
    private bool $isComplete = false;

    /**
     * @param array<int, mixed> $options
     * @param \Closure(ClientLine): void $giveBack
     */
    public function __construct(
        ClientLine $line,
        private readonly ClientRequest $request,
        array $options,
        private readonly float $idleTimeout,
        int $mostBytes,
        bool $redirects,
        private readonly \Closure $giveBack,
    ) {
        $this->line = $line;
        $this->arrival = $arrival = new ClientArrival($mostBytes, $redirects);
        $options += [
            \CURLOPT_URL => $request->url,
            \CURLOPT_HTTP_VERSION => \CURL_HTTP_VERSION_1_1,
            \CURLOPT_PROTOCOLS => \CURLPROTO_HTTP | \CURLPROTO_HTTPS,
            \CURLOPT_REDIR_PROTOCOLS => \CURLPROTO_HTTP | \CURLPROTO_HTTPS,
            \CURLOPT_NOSIGNAL => true,
            \CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            \CURLOPT_HTTPHEADER => $request->lines,
            \CURLOPT_HEADERFUNCTION => static fn(\CurlHandle $handle, string $line): int => $arrival->header($line),
            \CURLOPT_WRITEFUNCTION => static fn(\CurlHandle $handle, string $data): int => $arrival->write($data),
        ];
        if ($request->read !== null) {
            $read = $request->read;
            $options[\CURLOPT_UPLOAD] = true;
            $options[\CURLOPT_READFUNCTION] = static fn(\CurlHandle $handle, mixed $stream, int $most): string|int
                => $arrival->read($read, $most);
            if ($request->size !== null) {
                $options[\CURLOPT_INFILESIZE] = $request->size;
            }
        } elseif ($request->text !== null) {
            $options[\CURLOPT_POSTFIELDS] = $request->text;
        }
        if ($request->method === 'HEAD') {
            $options[\CURLOPT_NOBODY] = true;
        } elseif ($request->method !== 'GET' || $request->read !== null || $request->text !== null) {
            // curl knows what becomes of a GET or POST when it is redirected; with CUSTOMREQUEST it would keep the method.
            if ($request->method === 'POST' && $request->read === null && $request->text !== null) {
                $options[\CURLOPT_POST] = true;
            } else {
                $options[\CURLOPT_CUSTOMREQUEST] = $request->method;
            }
        }
        \curl_setopt_array($line->handle, $options);
        \curl_multi_add_handle($line->multi, $line->handle);
    }

    public function __destruct()
    {
        $this->breakOff();
    }

    public function begin(): ClientResponse
    {
        $this->moveUntil(fn() => $this->arrival->hasHead);
        if (!$this->arrival->hasHead) {
            throw new ProtocolException("{$this->request->url} has ended without a response");
        }
        return new ClientResponse($this->arrival->status, $this->arrival->reason, $this->arrival->headers, $this);
    }

    /** The next piece of the body; '' at its end. */
    public function nextPiece(): string
    {
        $this->moveUntil(fn() => $this->arrival->body !== '');
        $piece = $this->arrival->body;
        $this->arrival->body = '';
        return $piece;
    }

    /** The rest of the body. */
    public function rest(): string
    {
        $this->moveUntil(static fn() => false);
        $rest = $this->arrival->body;
        $this->arrival->body = '';
        return $rest;
    }

    /** Closes the connection, unless the response is complete. */
    public function breakOff(): void
    {
        $line = $this->line;
        $this->line = null;
        if ($line !== null && $line->process === ProcessIdentity::number()) {
            \curl_multi_remove_handle($line->multi, $line->handle);
            // The callbacks refer to what has arrived.
            \curl_reset($line->handle);
        }
    }

    /** @param \Closure(): bool $isEnough */
    private function moveUntil(\Closure $isEnough): void
    {
        try {
            $this->move($isEnough);
        } catch (\Throwable $e) {
            $this->breakOff();
            throw $e;
        }
    }

    /** @param \Closure(): bool $isEnough */
    private function move(\Closure $isEnough): void
    {
        $moved = -1;
        $since = 0.0;
        while (!$this->isComplete && !$isEnough()) {
            $line = $this->line;
            if ($line === null) {
                throw new ProtocolException('The response was broken off: its body cannot be read any more');
            }
            \curl_multi_exec($line->multi, $running);
            if ($this->arrival->failure !== null) {
                throw $this->arrival->failure;
            }
            $message = \curl_multi_info_read($line->multi);
            if ($message !== false) {
                $this->finish($line, $message['result']);
                return;
            }
            if ($isEnough()) {
                return;
            }
            $now = \hrtime(true) / 1e9;
            $newlyMoved = $this->arrival->moved + \curl_getinfo($line->handle, \CURLINFO_SIZE_UPLOAD_T);
            if ($newlyMoved !== $moved || \curl_getinfo($line->handle, \CURLINFO_PRETRANSFER_TIME) == 0) {
                // $idleTimeout counts from when the request is sent; before that $connectTimeout counts.
                $moved = $newlyMoved;
                $since = $now;
            } elseif ($now - $since >= $this->idleTimeout) {
                throw new TimeoutException("{$this->request->url}: nothing has moved for {$this->idleTimeout} s (idleTimeout)");
            }
            $ready = \curl_multi_select($line->multi, \min(1.0, \max(0.001, $this->idleTimeout - ($now - $since))));
            if ($ready <= 0 && \hrtime(true) / 1e9 - $now < 0.0005) {
                // curl names no descriptor to wait for, yet has not finished.
                Coroutine\sleep(0.001);
            }
        }
    }

    private function finish(ClientLine $line, int $result): void
    {
        if ($result !== \CURLE_OK) {
            throw self::failure($result, $this->request->url, \curl_error($line->handle), $this->arrival->hasHead);
        }
        $this->isComplete = true;
        $this->breakOff();
        // When the server closes the connection, curl has closed it too; the handle is still worth keeping.
        ($this->giveBack)($line);
    }

    private static function failure(int $result, string $url, string $words, bool $hasHead): ClientException
    {
        $words = $words !== '' ? $words : (string) \curl_strerror($result);
        $sentence = "$url: $words" . ($hasHead ? ', when the head of the response was there already' : '');
        return match ($result) {
            // The proxy or host is unknown, there is no connection, or not by that interface.
            5, 6, 7, 45, 97 => new ConnectException($sentence, $result),
            28 => new TimeoutException("$sentence (timeout, connectTimeout)", $result),
            35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98 => new TlsException($sentence, $result),
            47 => new ProtocolException("$sentence (redirects)", $result),
            default => new ProtocolException($sentence, $result),
        };
    }
}
