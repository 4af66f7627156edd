<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Nyholm\Psr7\{Response, Stream};
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\{RequestInterface, ResponseInterface, StreamInterface};
use Sluice\Http\{Client as SluiceClient, ClientException};

/**
 * Sluice's HTTP client as a PSR-18 client. In a coroutine, a call that waits lets other coroutines run; elsewhere it blocks. Any number
 * of coroutines may use one client at once. A redirect is returned as a response, as PSR-18 demands, unless the given client follows
 * redirects.
 */
final class Client implements ClientInterface
{
    /** Bodies of requests up to this size are sent in one piece. */
    private const WHOLE_BYTES = 1 << 20;
    private const PIECE_BYTES = 65536;
    /** Header fields that the client sets from the body and the URL. */
    private const OF_THE_CONNECTION = ['content-length', 'transfer-encoding', 'connection'];

    /**
     * @param SluiceClient $client with time limits, TLS options and a proxy
     * @param bool $streamsBodies true: the body of a response is an IteratorStream of any length, which is read once, as it arrives; false:
     *     the body is read whole, up to the client's `maxResponseBytes`, and can be rewound
     */
    public function __construct(
        private readonly SluiceClient $client = new SluiceClient(),
        private readonly bool $streamsBodies = false,
    ) {}

    /**
     * Sends a request and returns its response, whatever its status.
     *
     * @throws RequestException when the request cannot be sent: its URL has no host, for example
     * @throws NetworkException when there is no response: no connection, no valid certificate, no answer in time
     */
    public function sendRequest(RequestInterface $request): ResponseInterface
    {
        $headers = [];
        foreach ($request->getHeaders() as $name => $values) {
            $name = (string) $name;
            if (!\in_array(\strtolower($name), self::OF_THE_CONNECTION, true)) {
                $headers[$name] = \array_values($values);
            }
        }
        try {
            $answer = $this->client->request(
                $request->getMethod(),
                (string) $request->getUri()->withFragment(''),
                $headers,
                self::body($request->getBody()),
                maxResponseBytes: $this->streamsBodies ? 2 ** 40 : null,
            );
            $body = $this->streamsBodies ? new IteratorStream($answer->pieces()) : Stream::create($answer->body());
        } catch (\ValueError $error) {
            throw new RequestException($error->getMessage(), $request, $error);
        } catch (ClientException $error) {
            throw new NetworkException($error->getMessage(), $request, $error);
        }
        $headers = $answer->headers();
        // The client has decompressed the body, when it has asked for compression itself.
        if (!$request->hasHeader('Accept-Encoding')) {
            unset($headers['content-encoding'], $headers['content-length']);
        }
        return new Response($answer->status, $headers, $body, '1.1', $answer->reason);
    }

    /** @return string|\Generator<int, string>|null */
    private static function body(StreamInterface $body): string|\Generator|null
    {
        $size = $body->getSize();
        if ($size !== null && $size <= self::WHOLE_BYTES) {
            return $size === 0 ? null : (string) $body;
        }
        return (static function () use ($body): \Generator {
            if ($body->isSeekable()) {
                $body->rewind();
            }
            while (!$body->eof()) {
                $piece = $body->read(self::PIECE_BYTES);
                if ($piece !== '') {
                    yield $piece;
                }
            }
        })();
    }
}
