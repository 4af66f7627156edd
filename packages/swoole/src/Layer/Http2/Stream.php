<?php

declare(strict_types=1);

namespace Sluice\Swoole\Http2;

use Swoole\Http2\Response;

/** A request of a client and what has come of its response. */
final class Stream
{
    public Response $response;
    /** What waits for the server's window. */
    public string $unsent = '';
    public bool $endsAfterUnsent = false;
    public bool $ended = false;
    /** Bytes that the server takes. */
    public int $window;

    public function __construct(public readonly int $number, public readonly bool $readsParts, int $window)
    {
        $this->window = $window;
        $this->response = self::newResponse($number);
    }

    /** What has come so far; the rest goes to a new response. */
    public function takePart(bool $isLast): Response
    {
        $part = $this->response;
        $part->pipeline = !$isLast;
        $this->response = self::newResponse($this->number);
        $this->response->statusCode = $part->statusCode;
        return $part;
    }

    /** @param list<array{string, string}> $fields */
    public function receiveFields(array $fields): void
    {
        $response = $this->response;
        foreach ($fields as [$name, $value]) {
            if ($name === ':status') {
                $response->statusCode = (int) $value;
                continue;
            }
            if ($name === 'set-cookie') {
                $response->set_cookie_headers[] = $value;
                [$cookie, $content] = \explode('=', \explode(';', $value)[0], 2) + [1 => ''];
                $response->cookies[$cookie] = \urldecode($content);
            }
            $response->headers[$name] = $value;
        }
    }

    private static function newResponse(int $number): Response
    {
        $response = new Response();
        $response->streamId = $number;
        return $response;
    }
}
