<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Client\RequestExceptionInterface;
use Psr\Http\Message\RequestInterface;

/** The request cannot be sent as it is. */
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
