<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Client\RequestExceptionInterface;
use Psr\Http\Message\RequestInterface;

/** The PSR-18 client cannot send the request: its URL or a header field is malformed. */
final class RequestException extends \RuntimeException implements RequestExceptionInterface
{
    public function __construct(string $message, private readonly RequestInterface $request, ?\Throwable $previous = null)
    {
        parent::__construct($message, previous: $previous);
    }

    public function getRequest(): RequestInterface
    {
        return $this->request;
    }
}
