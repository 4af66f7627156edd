<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Message\{ResponseInterface, StreamInterface};
use Sluice\Delivery;
use Sluice\Http\Response;

/** Sends a PSR-7 response. */
final class ResponseSender
{
    /** Bodies of responses up to this size are sent in one piece. */
    private const WHOLE_BYTES = 1 << 20;
    private const PIECE_BYTES = 65536;
    /** Header fields about the connection, which the server writes itself. */
    private const OF_THE_CONNECTION = ['connection' => true, 'keep-alive' => true, 'transfer-encoding' => true, 'upgrade' => true];

    /**
     * Finishes $response with the status, fields and body of $answer. A FileStream is sent by `Response::sendFile()`. A body of more than
     * 1 MiB or of unknown size is sent in pieces as it is read, and waits for slow clients. Other bodies are sent in one piece.
     *
     * @throws \Throwable what reading the body throws, and when $response is finished already
     */
    public static function send(ResponseInterface $answer, Response $response): void
    {
        $body = $answer->getBody();
        $status = $answer->getStatusCode();
        $isFile = $body instanceof FileStream && !$body->isRead();
        $size = $isFile ? null : $body->getSize();
        $isWhole = $size !== null && $size <= self::WHOLE_BYTES;
        $response->status($status);
        foreach ($answer->getHeaders() as $name => $values) {
            $name = (string) $name;
            $lower = \strtolower($name);
            // A body that is sent whole gets its real length, whatever the response says.
            if (isset(self::OF_THE_CONNECTION[$lower]) || ($lower === 'content-length' && ($isFile || ($isWhole && $size > 0)))) {
                continue;
            }
            foreach ($values as $value) {
                $response->addHeader($name, $value);
            }
        }
        if ($isFile) {
            $response->sendFile($body->path, $answer->getHeaderLine('Content-Type') ?: null);
        } elseif ($isWhole) {
            $response->end($size === 0 ? '' : (string) $body);
        } else {
            self::stream($body, $response);
        }
    }

    private static function stream(StreamInterface $body, Response $response): void
    {
        if ($body->isSeekable()) {
            $body->rewind();
        }
        while (!$body->eof()) {
            $piece = $body->read(self::PIECE_BYTES);
            if ($piece !== '' && $response->write($piece) === Delivery::Closed) {
                $body->close();
                return;
            }
        }
        $response->end();
    }
}
