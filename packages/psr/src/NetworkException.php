<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Client\NetworkExceptionInterface;
use Psr\Http\Message\RequestInterface;

/** A request of the PSR-18 client has got no response. The previous exception is the `Sluice\Http\ClientException`. */
final class NetworkException extends \RuntimeException implements NetworkExceptionInterface
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
